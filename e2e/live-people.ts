import { randomUUID } from 'node:crypto'
import { type APIResponse, type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { TwoFactorSetup } from '#contract/identity.ts'
import { post } from './bank.ts'
import type { LiveBank } from './live.ts'

export type Person = { page: Page; fullName: string; email: string; password: string }
export type Reviewer = Person & { nextCode(): Promise<string> }

/** The end of the last phone number, so that no two people have the same one. */
let lastPhone = 1_000

/** Somebody who has just signed up with a live bank, in a browser of their own. */
async function newcomer(
  browser: Browser,
  live: LiveBank,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const page = await (await browser.newContext({ ...options, baseURL: live.url })).newPage()
  const email = `${fullName.toLowerCase().replaceAll(' ', '.')}.${randomUUID()}@example.com`
  lastPhone += 1
  const phone = `+1415555${lastPhone}`
  const password = `correct-horse-${randomUUID()}`
  await post(page, '/customers', { fullName, email, phone, password })
  return { page, fullName, email, password }
}

/** The same, whose email is confirmed. */
export async function person(
  browser: Browser,
  live: LiveBank,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const made = await newcomer(browser, live, fullName, options)
  const token = new URL(await live.linkTo(made.email, 'Confirm')).searchParams.get('token')
  await post(made.page, '/email-confirmations', { oneTimeToken: token })
  return made
}

/** A customer of a live bank whom its operator made a reviewer, with an authenticator app. */
export async function reviewer(browser: Browser, live: LiveBank, options?: BrowserContextOptions): Promise<Reviewer> {
  const made = await person(browser, live, 'Rosa Reader', options)
  await live.makeReviewer(made.email)
  return { ...made, nextCode: await giveAuthenticatorApp(made, live) }
}

/** Posts as the page does, showing the password where the bank asks for it. */
async function postProved(
  { page, password }: Person,
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

/** Sets an authenticator app up, and answers how its next code is read: each is good once, a step early too. */
async function giveAuthenticatorApp(who: Person, live: LiveBank): Promise<Reviewer['nextCode']> {
  const { oneTimeToken, secret } = (await (
    await postProved(who, live, '/two-factor/setup', {})
  ).json()) as TwoFactorSetup
  const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 })
  let used = Math.floor(Date.now() / STEP_MS) - 2
  const nextCode = async (): Promise<string> => {
    used = Math.max(used + 1, Math.floor(Date.now() / STEP_MS) - 1)
    const tooEarly = (used - 1) * STEP_MS - Date.now()
    if (tooEarly > 0) await who.page.waitForTimeout(tooEarly)
    return app.generate({ timestamp: used * STEP_MS })
  }
  const confirm = async () => postProved(who, live, '/two-factor', { oneTimeToken, code: await nextCode() })
  // The first code may have grown too old on its way.
  const answer = await confirm()
  if (!answer.ok()) expect((await confirm()).ok(), 'the authenticator app').toBe(true)
  return nextCode
}
