import { randomUUID } from 'node:crypto'
import { type APIResponse, type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { TwoFactorSetup } from '#contract/identity.ts'
import { postToBank } from './bank.ts'
import type { LiveBank } from './live-mode.ts'

export type LiveCustomer = { page: Page; fullName: string; email: string; password: string }
export type LiveReviewer = LiveCustomer & { nextCode(): Promise<string> }

/** The last digits of the most recent phone number, so that each person has another number. */
let lastPhone = 1_000

/** Signs a new customer up with a live bank, in a browser of their own. */
async function signUpLive(
  browser: Browser,
  live: LiveBank,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<LiveCustomer> {
  const page = await (await browser.newContext({ ...options, baseURL: live.url })).newPage()
  const email = `${fullName.toLowerCase().replaceAll(' ', '.')}.${randomUUID()}@example.com`
  lastPhone += 1
  const phone = `+1415555${lastPhone}`
  const password = `correct-horse-${randomUUID()}`
  await postToBank(page, '/customers', { fullName, email, phone, password })
  return { page, fullName, email, password }
}

/** Signs a new customer up, and confirms their email. */
export async function createLiveCustomer(
  browser: Browser,
  live: LiveBank,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<LiveCustomer> {
  const customer = await signUpLive(browser, live, fullName, options)
  const token = new URL(await live.linkTo(customer.email, 'Confirm')).searchParams.get('token')
  await postToBank(customer.page, '/email-confirmations', { oneTimeToken: token })
  return customer
}

/** Opens a customer of a live bank whom its operator has made a reviewer, with an authenticator app. */
export async function createLiveReviewer(
  browser: Browser,
  live: LiveBank,
  options?: BrowserContextOptions,
): Promise<LiveReviewer> {
  const customer = await createLiveCustomer(browser, live, 'Rosa Reader', options)
  await live.makeReviewer(customer.email)
  return { ...customer, nextCode: await giveAuthenticatorApp(customer, live) }
}

/** Posts as the page does, and gives the password if the bank requires it. */
async function postProved(
  { page, password }: LiveCustomer,
  live: LiveBank,
  path: string,
  data: object,
): Promise<APIResponse> {
  const send = (headers: object) =>
    page.request.post(`/api/v1${path}`, { headers: { origin: live.url, ...headers }, data })
  const answer = await send({})
  const token = answer.headers()['step-up']
  if (token === undefined) return answer
  const proof = { headers: { origin: live.url }, data: { password } }
  expect((await page.request.post(`/api/v1/step-ups/${token}`, proof)).status()).toBe(204)
  return send({ 'step-up': token })
}

const STEP_MS = 30_000

/**
 * Sets up an authenticator app, and returns a function for its next code. The bank accepts each code once, also one step (30 s)
 * early.
 */
async function giveAuthenticatorApp(customer: LiveCustomer, live: LiveBank): Promise<LiveReviewer['nextCode']> {
  const { oneTimeToken, secret } = (await (
    await postProved(customer, live, '/two-factor/setup', {})
  ).json()) as TwoFactorSetup
  const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 })
  let usedStep = Math.floor(Date.now() / STEP_MS) - 2
  const nextCode = async (): Promise<string> => {
    usedStep = Math.max(usedStep + 1, Math.floor(Date.now() / STEP_MS) - 1)
    const waitMs = (usedStep - 1) * STEP_MS - Date.now()
    if (waitMs > 0) await customer.page.waitForTimeout(waitMs)
    return app.generate({ timestamp: usedStep * STEP_MS })
  }
  const confirm = async () => postProved(customer, live, '/two-factor', { oneTimeToken, code: await nextCode() })
  // The first code may have expired on its way.
  const answer = await confirm()
  if (!answer.ok()) expect((await confirm()).ok(), 'the authenticator app').toBe(true)
  return nextCode
}
