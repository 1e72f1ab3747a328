import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type Browser, expect, type Locator, type Page, type Request, type Response } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import type { Me } from '#contract/identity.ts'

const execute = promisify(execFile)

/** Reads from the bank as the page's customer, without the screen. */
export async function readFromBank<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`/api/v1${path}`)
  expect(answer.status(), path).toBe(200)
  return (await answer.json()) as T
}

/** Returns the amount that the customer can spend, in cents. */
export async function readAvailable(page: Page): Promise<number> {
  return (await readFromBank<Dashboard>(page, '/dashboard')).account.availableMinor
}

/** Returns the newest transactions of the customer's account. */
export async function readNewest(page: Page, count: number): Promise<Transaction[]> {
  return (await readFromBank<{ transactions: Transaction[] }>(page, `/transactions?limit=${count}`)).transactions
}

/** Returns the bank's own origin, which its pages send with each request that changes data. */
export const originOf = async (page: Page): Promise<string> =>
  new URL((await page.request.get('/healthz')).url()).origin

/** Posts to the bank as its own page does, without the screen. */
export async function postToBank(page: Page, path: string, data?: object): Promise<void> {
  const headers = { origin: await originOf(page), 'idempotency-key': randomUUID() }
  const answer = await page.request.post(`/api/v1${path}`, { headers, ...(data && { data }) })
  expect(answer.status(), path).toBe(200)
}

/**
 * Makes the page's visitor a sample customer with eight months of transactions. It opens no screen, which would take seconds.
 * Most journeys begin with this call and then open the screen under test.
 */
export async function visit(page: Page): Promise<Me['customer']> {
  await postToBank(page, '/session/visit')
  return (await readFromBank<Me>(page, '/me')).customer
}

/**
 * Makes the visitor a sample customer with an email and a password for later sign-ins. If the email belongs to a customer,
 * signs them in.
 */
export async function signIn(page: Page, email: string, password: string): Promise<Me['customer']> {
  await postToBank(page, '/session', { email, password })
  return (await readFromBank<Me>(page, '/me')).customer
}

/** Ends the session, as Log Out does. The bank still recognizes the browser as one that its customer has used. */
export async function signOut(page: Page): Promise<void> {
  const answer = await page.request.delete('/api/v1/session', { headers: { origin: await originOf(page) } })
  expect(answer.ok()).toBe(true)
}

/** Makes the page's visitor a sample customer, and waits until the dashboard shows a balance. */
export async function visitDashboard(page: Page): Promise<Me['customer']> {
  const customer = await visit(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
  return customer
}

/** Sets the language of the page from its next load on, as if the customer had chosen it on this device. */
export const setPageLanguage = (page: Page, language: string): Promise<unknown> =>
  page.addInitScript((code) => localStorage.setItem('alder.language', code), language)

/** Makes the visitor a new sample customer with a language. A customer keeps the language of their first visit. */
export async function visitIn(page: Page, language: string): Promise<void> {
  await page.context().clearCookies()
  await visit(page)
  await setPageLanguage(page, language)
}

/** Opens a second sample customer in a browser context of their own. The context is closed with the browser. */
export async function visitAsAnother(browser: Browser): Promise<{ page: Page; customer: Me['customer'] }> {
  const page = await (await browser.newContext()).newPage()
  return { page, customer: await visit(page) }
}

/** Waits until the app reacts to keys. Until then the page shows its prerendered screen, which is inert. */
export const expectAppReady = (page: Page) => expect(page.locator('#root')).not.toHaveAttribute('inert')

/** A path without a screen. Its page sends no requests, and every visitor may see it. */
export const NO_SCREEN = '/no-such-screen'

/**
 * Opens a screen within the app, as a link does. The current screen is opened afresh. A full load takes six times as long. It
 * happens only the first time, or while a toast is visible. The app does not repeat requests of the last five seconds.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  // A toast stays across screens and may cover the next control, so the page is loaded instead.
  if (page.url() === 'about:blank' || (await page.locator('[data-sonner-toast]').count()) > 0) {
    // Without this step, the same address would be a reload, which restores the previous state.
    await page.goto('about:blank')
    await page.goto(path)
    return
  }
  await expectAppReady(page)
  // While a sheet is open, going back only closes the sheet.
  const sheets = page.getByRole('dialog')
  if ((await sheets.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect(sheets).toHaveCount(0)
    // The sheet removes its history entry a moment later, which would undo the next steps here.
    await page.waitForFunction(() => !(history.state as { sheets?: number } | null)?.sheets)
  }
  await page.evaluate(
    async (paths) => {
      for (const target of paths) {
        if (target === location.pathname) continue
        const previousHeading = document.querySelector('h1')
        // The router expects a unique key in each history entry.
        history.pushState({ key: crypto.randomUUID(), idx: (history.state?.idx ?? 0) + 1 }, '', target)
        dispatchEvent(new PopStateEvent('popstate'))
        while (previousHeading?.isConnected) await new Promise(requestAnimationFrame)
      }
    },
    [NO_SCREEN, path],
  )
}

/** Opens a screen, and waits until the page receives live events. */
export async function openWithLiveEvents(page: Page, path: string): Promise<void> {
  await Promise.all([page.waitForResponse('**/api/v1/events'), page.goto(path)])
}

/** Opens a screen, and waits until the page has read the existing payments. The page announces only later ones. */
export async function openWithAnnouncements(page: Page, path: string): Promise<void> {
  const asksAnew = page.waitForResponse('**/api/v1/events').then(() => page.waitForResponse('**/api/v1/dashboard'))
  await Promise.all([asksAnew, page.goto(path)])
}

/** Returns whether a request goes to the bank's API, except for the stream of live events, which never ends. */
export const isBankRequest = (request: Request): boolean => /\/api\/(?!v1\/events$)/.test(request.url())

/** The time without requests after which the page counts as idle. */
const QUIET_MS = 150

/**
 * Follows the page's requests to the bank from now on. The returned function waits until all of them are answered. Playwright's
 * network idle state does not work here, because the stream of live events never ends.
 */
export function followRequests(page: Page): () => Promise<void> {
  const pendingRequests = new Set<Request>()
  let lastAt = performance.now()
  page.on('request', (request) => {
    // The browser may never report the end of requests from a page that was left.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pendingRequests.clear()
    else if (isBankRequest(request)) pendingRequests.add(request)
  })
  const removeRequest = (request: Request) => {
    if (pendingRequests.delete(request)) lastAt = performance.now()
  }
  // The response counts rather than its end: if the page does not read the response, its end is never reported.
  page.on('response', (response) => removeRequest(response.request()))
  page.on('requestfailed', removeRequest)
  return async () => {
    const startedAt = performance.now()
    await expect
      .poll(() => pendingRequests.size === 0 && performance.now() - Math.max(startedAt, lastAt) > QUIET_MS, {
        intervals: [50],
      })
      .toBe(true)
  }
}

/**
 * Presses a control by key, because a toast may cover it. First waits until the app is ready, because the prerendered page
 * keeps only clicks and taps for later. Then waits until the control is enabled, because a key press does not wait for that as
 * a click does.
 */
export async function pressByKey(control: Locator): Promise<void> {
  await expectAppReady(control.page())
  await expect(control).toBeEnabled()
  await control.press('Enter')
}

/** Finds the toast with a message. An older toast may still be leaving. */
export function findToast(page: Page, message: string | RegExp) {
  return page.locator('[data-sonner-toast]').filter({ hasText: message }).first()
}

/** Returns the code of an authenticator app, now or `steps` steps of 30 seconds later. The bank accepts each code once. */
export function authenticatorCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** Returns the time at which a response was complete, in milliseconds. Delays of screens are measured from then. */
async function endOf(answer: Response): Promise<number> {
  await answer.finished()
  const { startTime, responseEnd } = answer.request().timing()
  return startTime + responseEnd
}

/** Expects the page to reach `path` no sooner than `afterMs` after the bank's response to `endpoint`. */
export async function expectDelay(
  page: Page,
  endpoint: string,
  path: string,
  afterMs: number,
  act: () => Promise<void>,
) {
  const response = page.waitForResponse(
    (answer) => answer.url().endsWith(endpoint) && answer.request().method() === 'POST',
  )
  await act()
  const from = await endOf(await response)
  await page.waitForURL(path)
  // There is no upper limit, because it would depend on the machine.
  expect(Date.now() - from).toBeGreaterThanOrEqual(afterMs - 50)
}

/** Proves the books of the bank with the data folder `dir`. Throws if they do not balance. */
export async function proveBooks(dir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dir }
  await execute(process.execPath, ['server/cli/books.ts'], { env }).catch(({ stdout, stderr }) => {
    throw new Error(`The check of the books failed.\n${stdout}${stderr}`)
  })
}

/** Confirms a payment on its review screen. */
export const confirmReview = (page: Page) =>
  page
    .getByRole('dialog', { name: /^Is this the right/ })
    .getByRole('button', { name: 'Confirm', exact: true })
    .click()
