import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type Browser, expect, type Locator, type Page, type Request, type Response } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import type { Me } from '#contract/identity.ts'

const run = promisify(execFile)

/** What the bank itself says to the customer of this page, past the screen. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`/api/v1${path}`)
  expect(answer.status(), path).toBe(200)
  return (await answer.json()) as T
}

/** What the customer can spend, in cents. */
export async function available(page: Page): Promise<number> {
  return (await ask<Dashboard>(page, '/dashboard')).account.availableMinor
}

/** The newest transactions of the customer's account. */
export async function newest(page: Page, count: number): Promise<Transaction[]> {
  return (await ask<{ transactions: Transaction[] }>(page, `/transactions?limit=${count}`)).transactions
}

/** The bank's own origin, which its pages name in each request that changes something. */
export const originOf = async (page: Page): Promise<string> =>
  new URL((await page.request.get('/healthz')).url()).origin

/** Posts as the bank's own page does, past the screen. */
export async function post(page: Page, path: string, data?: object): Promise<void> {
  const headers = { origin: await originOf(page), 'idempotency-key': randomUUID() }
  const answer = await page.request.post(`/api/v1${path}`, { headers, ...(data && { data }) })
  expect(answer.status(), path).toBe(200)
}

/**
 * Makes the page's visitor a sample customer with their eight months, without opening a screen, which takes seconds.
 * Most journeys begin with this, and then open the screen that they are about.
 */
export async function visit(page: Page): Promise<Me['customer']> {
  await post(page, '/session/visit')
  return (await ask<Me>(page, '/me')).customer
}

/** The same with an email and a password that can be signed in with again; those of a known customer sign them in. */
export async function signIn(page: Page, email: string, password: string): Promise<Me['customer']> {
  await post(page, '/session', { email, password })
  return (await ask<Me>(page, '/me')).customer
}

/** Ends the session, as Log Out does; the browser stays one that its customer has signed in on before. */
export async function signOut(page: Page): Promise<void> {
  const answer = await page.request.delete('/api/v1/session', { headers: { origin: await originOf(page) } })
  expect(answer.ok()).toBe(true)
}

/** Makes the page's visitor a sample customer, and waits until the dashboard shows a balance. */
export async function arrive(page: Page): Promise<Me['customer']> {
  const customer = await visit(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
  return customer
}

/** Has the page's bank speak a language from its next load on, as if it had been chosen on this device. */
export const speak = (page: Page, language: string): Promise<unknown> =>
  page.addInitScript((code) => localStorage.setItem('alder.language', code), language)

/** A new sample customer whose bank speaks a language: a customer keeps the one of their first visit. */
export async function visitIn(page: Page, language: string): Promise<void> {
  await page.context().clearCookies()
  await visit(page)
  await speak(page, language)
}

/** Another person with a browser of their own. Closed with the browser. */
export async function someoneElse(browser: Browser): Promise<{ page: Page; customer: Me['customer'] }> {
  const page = await (await browser.newContext()).newPage()
  return { page, customer: await visit(page) }
}

/** The page came with its first screen; from now on it hears keys. */
export const appStands = (page: Page) => expect(page.locator('#root')).not.toHaveAttribute('inert')

/** No screen has this path: what says so asks for nothing, and is shown to anybody. */
export const NO_SCREEN = '/no-such-screen'

/**
 * Goes to a screen as a link does, and to the same one anew. A load, which the first time takes, costs six times as much;
 * but what was asked for in the last five seconds is not asked for again.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  // A toast goes along, and lies over what is to be pressed.
  if (page.url() === 'about:blank' || (await page.locator('[data-sonner-toast]').count()) > 0) {
    // The same address again would be a reload, which goes on where it was.
    await page.goto('about:blank')
    await page.goto(path)
    return
  }
  await appStands(page)
  // Going back closes an open sheet, and goes nowhere.
  const sheets = page.getByRole('dialog')
  if ((await sheets.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect(sheets).toHaveCount(0)
    // The sheet goes back in the history a moment later. That would undo the next steps here.
    await page.waitForFunction(() => !(history.state as { sheets?: number } | null)?.sheets)
  }
  await page.evaluate(
    async (ways) => {
      for (const way of ways) {
        if (way === location.pathname) continue
        const left = document.querySelector('h1')
        // As the router's own entries are, each with a key by which it knows it.
        history.pushState({ key: crypto.randomUUID(), idx: (history.state?.idx ?? 0) + 1 }, '', way)
        dispatchEvent(new PopStateEvent('popstate'))
        while (left?.isConnected) await new Promise(requestAnimationFrame)
      }
    },
    [NO_SCREEN, path],
  )
}

/** Opens a screen, and waits until the page hears of what happens at the bank. */
export async function openListening(page: Page, path: string): Promise<void> {
  await Promise.all([page.waitForResponse('**/api/v1/events'), page.goto(path)])
}

/** Opens a screen, and waits until the page has read the payments that exist: it announces the later ones. */
export async function openAnnouncing(page: Page, path: string): Promise<void> {
  const asksAnew = page.waitForResponse('**/api/v1/events').then(() => page.waitForResponse('**/api/v1/dashboard'))
  await Promise.all([asksAnew, page.goto(path)])
}

/** Whether this asks the bank for something, apart from what happens there, which never ends. */
export const asksBank = (request: Request): boolean => /\/api\/(?!v1\/events$)/.test(request.url())

/** For how long a page asks for nothing once all it asked for has come. */
const QUIET_MS = 150

/**
 * Follows what the page asks the bank from now on; the answer waits until all of it has come. Unlike the network, which is
 * never idle where live events come.
 */
export function followRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  let lastAt = performance.now()
  page.on('request', (request) => {
    // Requests of a page that was left may never be reported as ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
    else if (asksBank(request)) pending.add(request)
  })
  const ended = (request: Request) => {
    if (pending.delete(request)) lastAt = performance.now()
  }
  // The answer, not its end: where the page doesn't read it, the end is never reported.
  page.on('response', (response) => ended(response.request()))
  page.on('requestfailed', ended)
  return async () => {
    const begun = performance.now()
    await expect
      .poll(() => pending.size === 0 && performance.now() - Math.max(begun, lastAt) > QUIET_MS, { intervals: [50] })
      .toBe(true)
  }
}

/**
 * Presses a control: by key, for a toast may lie over it. Once the app stands, which keeps presses of a pointer alone until
 * then, and the control is enabled, for which a key does not wait as a pointer does.
 */
export async function press(control: Locator): Promise<void> {
  await appStands(control.page())
  await expect(control).toBeEnabled()
  await control.press('Enter')
}

/** Toasts come with their message; an older one may still be leaving. */
export function toast(page: Page, message: string | RegExp) {
  return page.locator('[data-sonner-toast]').filter({ hasText: message }).first()
}

/** What an authenticator app shows now, or some steps of 30 seconds later: the bank takes each code once. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** When an answer was whole, in milliseconds: what a screen does later is counted from there. */
async function endOf(answer: Response): Promise<number> {
  await answer.finished()
  const { startTime, responseEnd } = answer.request().timing()
  return startTime + responseEnd
}

/** Expects the page to come to `path` no sooner than `afterMs` from the bank's answer to `asked`. */
export async function expectDelay(page: Page, asked: string, path: string, afterMs: number, act: () => Promise<void>) {
  const answered = page.waitForResponse(
    (answer) => answer.url().endsWith(asked) && answer.request().method() === 'POST',
  )
  await act()
  const from = await endOf(await answered)
  await page.waitForURL(path)
  // How much later than that is the machine's affair.
  expect(Date.now() - from).toBeGreaterThanOrEqual(afterMs - 50)
}

/** Proves the books of the bank that runs on `dir`: throws where anything is off. */
export async function proveBooks(dir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dir }
  await run(process.execPath, ['server/cli/books.ts'], { env }).catch(({ stdout, stderr }) => {
    throw new Error(`The books could not be proved.\n${stdout}${stderr}`)
  })
}

/** Confirms a payment that is shown for review. */
export const confirmReview = (page: Page) =>
  page
    .getByRole('dialog', { name: /^Is this the right/ })
    .getByRole('button', { name: 'Confirm', exact: true })
    .click()
