import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import type { CardList } from '#contract/cards.ts'
import type { RequestList } from '#contract/requests.ts'
import type { GoalList } from '#contract/savings.ts'
import { lineNamed } from '#contract/line-texts.ts'
import {
  visitDashboard,
  readFromBank,
  readAvailable,
  confirmReview,
  readNewest,
  openWithLiveEvents,
  postToBank,
  signIn,
  visitAsAnother,
  setPageLanguage,
  findToast,
  visit,
} from './bank.ts'
import { openTestProxy } from './proxy.ts'

const OFFLINE = "You're offline."
const OUT_OF_REACH = "We can't reach Alder right now."

const balance = (page: Page) => page.getByRole('region', { name: 'Balance' })
const findText = (page: Page, text: string) => page.getByText(text, { exact: false }).first()

/** Waits until the service worker has cached every screen and controls this page. */
async function workerIsReady(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 45_000 })
}

/**
 * Returns whether the cookie with the key exists, and the encrypted content of the cache. Waits for a running save first.
 * On a busy machine a save may take seconds, and a page that is left before its end has saved nothing.
 */
const readCache = (page: Page) =>
  page.evaluate(() =>
    navigator.locks.request('alder-kept', async () => {
      const store = (await caches.has('alder-kept')) ? await caches.open('alder-kept') : null
      const entry = await store?.match('/kept')
      return { key: document.cookie.includes('alder-kept'), text: entry ? await entry.text() : null }
    }),
  )

/** Waits until the cache differs from `before`, and returns its encrypted content. */
async function isKept(page: Page, before: string | null = null): Promise<string> {
  await expect.poll(async () => (await readCache(page)).text, { timeout: 10_000 }).not.toBe(before)
  const { text } = await readCache(page)
  expect(text).not.toBeNull()
  return text ?? ''
}

/** Waits until all shown data is saved. The page saves it a second after showing it. */
async function allIsKept(page: Page): Promise<void> {
  let before: string | null = null
  await expect
    .poll(
      async () => {
        const [last, { text }] = [before, await readCache(page)]
        before = text
        return text !== null && text === last
      },
      { intervals: [1_500], timeout: 45_000 },
    )
    .toBe(true)
}

/** The links from the dashboard to each screen, and a text that the screen shows. */
const SCREENS = [
  [['Add to Vacation Fund'], '$14,150.00'],
  [['Account Details'], '991234561'],
  [['Cards'], '$1,290.00 spent this month'],
  [['Rewards'], 'Copper Kettle Coffee'],
  [['Invest'], 'Balanced Portfolio'],
  [['Crypto'], 'Unrealized Profit'],
  [['Loans'], 'Credit score 742 (Good)'],
  [['Notifications'], 'Northwind Studio'],
  [['Request'], 'Received'],
  [['Split Bill'], 'Lake House'],
  [['Settings', 'Payment Methods'], 'Harborview Credit Card'],
] as const

/** Opens each screen from the dashboard, calls `meanwhile` on it, and returns. */
async function seeScreens(page: Page, meanwhile?: (path: string) => Promise<void>): Promise<void> {
  for (const [links, visibleText] of SCREENS) {
    for (const name of links)
      await page
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .click()
    // The dashboard has no Back link. It contains some of the same words, and stays until the screen replaces it.
    await expect(page.getByRole('link', { name: 'Back' })).toBeVisible()
    await expect(findText(page, visibleText)).toBeVisible()
    // Only data that has arrived is saved, so the test waits for all of it.
    await expect(page.locator('.animate-shimmer')).toHaveCount(0)
    await meanwhile?.(new URL(page.url()).pathname)
    for (const _ of links) await page.getByRole('link', { name: 'Back' }).click()
    await expect(balance(page)).toBeVisible()
  }
}

const KEEPS_TRYING = "We'll keep trying while this screen is open"

/** Starts an action on a screen without a network, and cancels it. */
async function actOffline(page: Page, path: string): Promise<void> {
  // An account's number does not change, so its screen shows no date.
  await expect(findText(page, OFFLINE)).toContainText(path === '/account-details' ? OFFLINE : 'Last updated')
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  if (path === '/savings') {
    const form = page.getByRole('form', { name: 'Add to Vacation Fund' })
    await form.getByRole('textbox').fill('50')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(findToast(page, KEEPS_TRYING)).toBeVisible()
    await cancel.click()
    await expect(findToast(page, 'Canceled. No money was added')).toBeVisible()
  }
  if (path === '/cards') {
    const card = page.getByRole('article', { name: 'Main Card' })
    await card.getByRole('button', { name: 'Freeze' }).click()
    await expect(findToast(page, "We couldn't reach Alder")).toBeVisible()
    await expect(card).not.toContainText('Frozen')
  }
  if (path === '/request') {
    const sheet = page.getByRole('dialog')
    await page.locator('main a[href*="id="]').first().click()
    await sheet.getByRole('button', { name: /^Pay \$/ }).click()
    await expect(findToast(page, KEEPS_TRYING)).toBeVisible()
    await cancel.click()
    await expect(findToast(page, 'Canceled. Nothing was paid')).toBeVisible()
    await sheet.getByRole('button', { name: 'Close' }).click()
  }
}

async function fill(page: Page, amount: string, recipient: string): Promise<void> {
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Recipient').fill(recipient)
}

const send = (page: Page) => page.getByRole('button', { name: 'Send Money' }).click()

test.describe('with its service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('works offline, sends nothing without the customer’s knowledge, and sends once when the connection is back', async ({
    page,
    context,
  }) => {
    test.setTimeout(240_000)
    const { fullName } = await visitDashboard(page)
    const isStored = await isKept(page)
    await page.getByRole('link', { name: 'See All' }).click()
    await expect(page.getByRole('link', { name: /Salary|Payroll|\+\$3,500/ }).first()).toBeVisible()
    await isKept(page, isStored)
    await postToBank(page, '/sample/requests', {})
    const people = [{ name: 'Sarah', address: 'sarah.johnson@example.com' }]
    await postToBank(page, '/bill-groups', { name: 'Lake House', people })
    await page.getByRole('link', { name: 'Back' }).click()
    await seeScreens(page)
    await allIsKept(page)
    await workerIsReady(page)

    await context.setOffline(true)
    await page.goto('/dashboard')
    await expect(findText(page, OFFLINE)).toContainText(/Last updated: \d+:\d\d/)
    await expect(balance(page)).toContainText('$12,458.50')
    await expect(page.getByRole('heading', { level: 1, name: fullName.split(' ')[0] ?? '' })).toBeVisible()
    await seeScreens(page, (path) => actOffline(page, path))
    await page.getByRole('link', { name: 'See All' }).click()
    // The dashboard's rows have other links, and it stays until the list replaces it.
    await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible()
    await page.locator('main li a').first().click()
    await expect(page.getByRole('heading', { name: 'Transaction Details' })).toBeVisible()
    await page.goto('/settings')
    await expect(page.getByText(fullName)).toBeVisible()
    await page.getByRole('link', { name: 'Language' }).click()
    await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible()
    await page.goto('/transfer')
    await expect(page.getByText('$12,458.50 available')).toBeVisible()

    await fill(page, '12.50', 'sarah.johnson@example.com')
    await send(page)
    await expect(findToast(page, KEEPS_TRYING)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(findToast(page, 'Canceled. Nothing was sent')).toBeVisible()
    await send(page)
    await expect(findToast(page, KEEPS_TRYING)).toBeVisible()
    expect(await readAvailable(page), 'nothing has gone out').toBe(1_245_850)

    await context.setOffline(false)
    await expect(findToast(page, '$12.50 sent successfully to sarah.johnson@example.com')).toBeVisible()
    await expect(page.getByText(OFFLINE)).toHaveCount(0)
    await expect(page).toHaveURL('/dashboard')
    await expect(balance(page)).toContainText('$12,446.00')
    const [first, second] = await readNewest(page, 2)
    expect(first).toMatchObject({ name: lineNamed('Sarah Johnson'), amountMinor: -1250, status: 'completed' })
    expect(second?.amountMinor, 'the one before').not.toBe(-1250)
    expect((await readFromBank<GoalList>(page, '/goals')).goals[0]?.savedMinor).toBe(245_000)
    expect((await readFromBank<CardList>(page, '/cards')).cards[0]?.status).toBe('active')
    expect((await readFromBank<RequestList>(page, '/money-requests')).received).toMatchObject([
      { status: 'open', paidMinor: 0 },
    ])
  })

  test('keeps no data of a signed-out customer, and shows no customer the data of another', async ({
    page,
    context,
  }) => {
    const firstCustomer = await signIn(page, `first-${randomUUID()}@example.com`, 'seven green herons')
    await page.goto('/dashboard')
    await expect(balance(page)).toContainText('$')
    const text = await isKept(page)
    expect(text).not.toContain(firstCustomer.email)
    await workerIsReady(page)

    await page.goto('/settings')
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect.poll(() => readCache(page)).toEqual({ key: false, text: null })
    await context.setOffline(true)
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible()
    await expect(page.getByText(firstCustomer.fullName.split(' ')[0] ?? '')).toHaveCount(0)
    await expect(page.getByText('$12,458.50')).toHaveCount(0)

    await context.setOffline(false)
    // When the network is back, the page opens a new sample customer. The test waits for this, because that customer's cookie
    // would replace the cookie of the sign-in below.
    await expect(balance(page)).toContainText('$')
    const secondCustomer = await signIn(page, `second-${randomUUID()}@example.com`, 'eight grey herons')
    await page.goto('/settings')
    await expect(page.getByText(secondCustomer.email)).toBeVisible()
    await allIsKept(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText(secondCustomer.email)).toBeVisible()
    await expect(page.getByText(firstCustomer.email)).toHaveCount(0)

    // Signing out offline also removes all data, and the bank ends the session later.
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect.poll(() => readCache(page)).toEqual({ key: false, text: null })
    await context.setOffline(false)
    await expect.poll(async () => (await page.request.get('/api/v1/me')).status()).toBe(401)
  })

  test('offers a new version without breaking open screens', async ({ page, baseURL }) => {
    const front = await openTestProxy(baseURL ?? '')
    await page.goto(`${front.url}/transfer`)
    await workerIsReady(page)
    await fill(page, '12.50', 'sarah.johnson@example.com')
    const readEntry = () => page.locator('script[type=module]').first().getAttribute('src')
    const entryBefore = await readEntry()

    front.deploy(/settings-screen/)
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    const bar = page.getByRole('region', { name: 'New version' })
    await expect(bar).toContainText('A new version of Alder is ready', { timeout: 45_000 })
    await expect(page.getByLabel('Amount')).toHaveValue('12.50')
    await expect(page.getByLabel('Recipient')).toHaveValue('sarah.johnson@example.com')
    expect(await readEntry()).toBe(entryBefore)

    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await expect(page.getByRole('heading', { name: 'Settings' }), 'code that only the worker still has').toBeVisible()
    await bar.getByRole('button', { name: 'Update' }).click()
    await expect.poll(readEntry).toContain('-new.js')
    await expect(page).toHaveURL(/\/settings$/)
    await expect(bar).toHaveCount(0)
    await front.close()
  })

  test('opens with its stored data on a network that does not respond, and recovers by itself', async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(240_000)
    const front = await openTestProxy(baseURL ?? '')
    await page.goto(`${front.url}/dashboard`)
    await expect(balance(page)).toContainText('$12,458.50')
    await allIsKept(page)
    await workerIsReady(page)
    front.hang(true)
    await page.reload()
    await expect(balance(page)).toContainText('$12,458.50', { timeout: 45_000 })
    await expect(findText(page, OUT_OF_REACH)).toContainText('Last updated', { timeout: 45_000 })
    front.hang(false)
    await expect(page.getByText(OUT_OF_REACH)).toHaveCount(0, { timeout: 45_000 })
    await front.close()
  })
})

test('retries a screen whose code does not load, and offers a button where retries fail', async ({ page }) => {
  await visitDashboard(page)
  let tries = 0
  const CODE = '**/assets/transfer-screen-*.js'
  await page.route(CODE, (route) => {
    tries += 1
    return route.fulfill({ status: 404 })
  })
  await page.getByRole('link', { name: 'Send', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: "That didn't load" })).toBeVisible()
  await expect.poll(() => tries).toBe(2)
  await page.unroute(CODE)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'Send Money' })).toBeVisible()
})

test('a language whose texts do not load is used when the connection is back, and English until then', async ({
  page,
  context,
}) => {
  await setPageLanguage(page, 'de')
  await page.route('**/assets/de-*.js', (route) => route.abort())
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await context.setOffline(true)
  await expect(findText(page, OFFLINE)).toBeVisible()
  await page.unroute('**/assets/de-*.js')
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Anmelden', exact: true })).toBeVisible()
})

test('an app whose code does not load reloads itself once, and then offers a button', async ({ page }) => {
  const CODE = '**/assets/index-*.js'
  await page.route(CODE, (route) => route.abort(), { times: 1 })
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeEditable()

  await page.evaluate(() => {
    sessionStorage.clear()
    localStorage.setItem('alder.language', 'de')
  })
  await page.context().addCookies([{ name: 'alder-language', value: 'de', url: page.url() }])
  await page.route(CODE, (route) => route.abort())
  await page.goto('/transfer')
  const alert = page.getByRole('alert').filter({ hasText: 'Alder wurde nicht vollständig geladen' })
  await expect(alert).toBeVisible()
  await page.unroute(CODE)
  await alert.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('button', { name: /^Geld senden$/ })).toBeEnabled()
})

test.describe('a payment without a response', () => {
  const TRANSFERS = '**/api/v1/transfers'
  const FAILURE = { status: 504, json: {} }
  test.beforeEach(async ({ page }) => {
    await visit(page)
    await page.goto('/transfer')
    await fill(page, '12.50', 'sarah.johnson@example.com')
  })

  test('is looked up after its last retry, and not paid twice', async ({ page }) => {
    await page.route(TRANSFERS, async (route) => {
      await route.fetch()
      await route.fulfill(FAILURE)
    })
    await send(page)
    await expect(findToast(page, 'It went through')).toBeVisible({ timeout: 45_000 })
    expect(await readAvailable(page)).toBe(1_244_600)

    // This time the request does not reach the bank, so it counts as refused and may be sent again.
    await page.unroute(TRANSFERS)
    await page.route(TRANSFERS, (route) => route.fulfill(FAILURE))
    await fill(page, '7', 'sarah.johnson@example.com')
    await send(page)
    await expect(findToast(page, "Alder isn't available right now")).toBeVisible({ timeout: 45_000 })
    await page.unroute(TRANSFERS)
    await send(page)
    await expect(findToast(page, '$7.00 sent successfully')).toBeVisible()
    expect(await readAvailable(page)).toBe(1_243_900)
  })
})

test('a payment that is taken back is returned, even if its response is lost', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await fill(page, '12.50', `nobody-${randomUUID()}@example.com`)
  await send(page)
  await confirmReview(page)
  await page.getByRole('button', { name: 'View' }).click()
  await page.route('**/api/v1/transfers/*/cancel', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel Payment' }).click()
  await expect(findToast(page, '$12.50 is back in your account')).toBeVisible({ timeout: 45_000 })
  expect(await readAvailable(page)).toBe(1_245_850)
})

test('a customer who leaves offline is shown to no one, and is signed out before any request', async ({ page }) => {
  const departed = await signIn(page, `left-${randomUUID()}@example.com`, 'nine brown herons')
  await page.addInitScript(() => {
    if (sessionStorage.getItem('once') === null) localStorage.setItem('alder.sign-out', 'due')
    sessionStorage.setItem('once', 'yes')
  })
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`)
  })
  // While the bank cannot end the session, the page neither requests nor shows any of the customer's data.
  await page.route('**/api/v1/session', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  )
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/login/)
  expect(requests.filter((request) => /\/(me|dashboard|profile|events)$/.test(request))).toEqual([])
  await page.unrouteAll()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect(page.getByText(departed.email)).toHaveCount(0)
  const session = requests.indexOf('POST /api/v1/session/visit')
  expect(requests.lastIndexOf('DELETE /api/v1/session')).toBeLessThan(session)
})

test.describe('a payment whose page is closed before the response', () => {
  const TRANSFERS = '**/api/v1/transfers'
  const SENT_TEXT = '$12.50 to sarah.johnson@example.com was sent'

  /** Sends a payment whose response is lost. The bank carries it out if `arrives` is true. */
  async function sendUnanswered(page: Page, { arrives }: { arrives: boolean }): Promise<void> {
    await page.goto('/transfer')
    const lostResponse = Promise.withResolvers<void>()
    await page.route(TRANSFERS, async (route) => {
      if (arrives) await route.fetch()
      lostResponse.resolve()
      await route.abort('connectionreset')
    })
    await fill(page, '12.50', 'sarah.johnson@example.com')
    await send(page)
    await lostResponse.promise
  }

  test('is reported once, on any screen, and is not paid twice', async ({ page, context }) => {
    await visit(page)
    await sendUnanswered(page, { arrives: true })
    const secondPage = await context.newPage()
    await page.goto('/dashboard')
    // The route is removed only now, because the previous page would have sent the payment again.
    await page.unroute(TRANSFERS)
    await expect(findToast(page, SENT_TEXT)).toBeVisible()
    await findToast(page, SENT_TEXT).getByRole('button', { name: 'View' }).click()
    await expect(page).toHaveURL('/transactions')
    expect(await readAvailable(page)).toBe(1_244_600)

    await secondPage.goto('/transfer')
    await page.goto('/transfer')
    await fill(page, '1', 'sarah.johnson@example.com')
    await send(page)
    await expect(findToast(page, '$1.00 sent successfully')).toBeVisible()
    for (const tab of [page, secondPage]) await expect(findToast(tab, 'It went through')).toHaveCount(0)
    expect(await readAvailable(page)).toBe(1_244_500)
  })

  test('is canceled if it did not arrive, and otherwise keeps its key while the bank has no answer', async ({
    page,
  }) => {
    await visit(page)
    await sendUnanswered(page, { arrives: false })
    await page.reload()
    await page.unroute(TRANSFERS)
    await expect(findToast(page, 'Canceled. Nothing was sent')).toBeVisible()
    expect(await readAvailable(page)).toBe(1_245_850)

    await sendUnanswered(page, { arrives: true })
    await page.route('**/api/v1/requests/*/cancel', (route) =>
      route.fulfill({ status: 429, json: { error: { code: 'too_many_requests' } } }),
    )
    await page.reload()
    await page.unroute(TRANSFERS)
    await expect(findToast(page, "We couldn't find out whether it was sent")).toBeVisible()
    await fill(page, '12.50', 'sarah.johnson@example.com')
    await send(page)
    await expect(findToast(page, '$12.50 sent successfully')).toBeVisible()
    expect(await readAvailable(page)).toBe(1_244_600)
  })
})

test('seven windows of one browser all work and all receive live events', async ({ page, context, browser }) => {
  test.setTimeout(120_000)
  const { email } = await visit(page)
  await openWithLiveEvents(page, '/notifications')
  const windows = [page]
  for (let count = 1; count < 7; count += 1) windows.push(await context.newPage())
  for (const next of windows.slice(1)) {
    await next.goto('/notifications')
    await expect(next.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  }
  const { page: friend } = await visitAsAnother(browser)
  await postToBank(friend, '/transfers', { recipient: email, amountMinor: 25_50, asset: 'USD' })
  for (const tab of windows) await expect(findText(tab, 'You received $25.50 from')).toBeVisible({ timeout: 45_000 })
  await friend.context().close()
})
