import { readFileSync } from 'node:fs'
import { expect, type Page, type Request, test } from '@playwright/test'
import type { PrerenderedScreen } from '#web/prerender.tsx'
import { expectAppReady, visitDashboard, readNewest, visit } from './bank.ts'

test('a screen that cannot be shown is replaced by an error inside the app, with a way back', async ({ page }) => {
  await visit(page)
  await page.route('**/api/v1/dashboard', (route) => route.fulfill({ json: {} }))
  await page.goto('/dashboard')
  await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
  await page.unroute('**/api/v1/dashboard')
  await page.getByRole('button', { name: 'Go to Home' }).click()
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
})

test('follows the system’s theme until the user chooses one, which then applies from the first paint', async ({
  page,
}) => {
  const canvas = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  await visitDashboard(page)
  const light = await canvas()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(canvas).not.toBe(light)
  await page.evaluate(() => localStorage.setItem('alder.theme', 'light'))
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'light')
  await expect.poll(canvas).toBe(light)
})

test('is installable', async ({ page }) => {
  await page.goto('/')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = (await (await page.request.get(href ?? '')).json()) as { icons: { src: string }[]; display: string }
  expect(manifest.display).toBe('standalone')
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200)
})

test('loads nothing from another host and violates no content policy', async ({ page, baseURL }) => {
  const foreignUrls: string[] = []
  const policyErrors: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !/^(data|blob):/.test(request.url()))
      foreignUrls.push(request.url())
  })
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) policyErrors.push(message.text())
  })
  await visit(page)
  for (const path of [
    '/transfer',
    '/add-money',
    '/rewards',
    '/transactions?q=c',
    '/transaction-detail',
    '/claim',
    '/sample/mail',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(foreignUrls).toEqual([])
  expect(policyErrors).toEqual([])
})

const OWN_DATA = {
  '/transfer': ['contacts', 'schedules'],
  '/transactions': ['transactions', 'transactions/summary'],
  '/add-money': ['linked-accounts', 'top-ups/methods'],
  '/payment-methods': ['cards', 'linked-accounts', 'mandates'],
  '/cards': ['cards'],
  '/settings': ['kyc', 'profile'],
  '/personal-info': ['profile'],
  '/security-privacy': ['security'],
  '/security-privacy/devices': ['sessions'],
  '/security-privacy/activity': ['security-events'],
  '/kyc': ['kyc'],
}

/** Expects the page at `path` to request `early` before the app's code arrives, `later` afterwards, and no path twice. */
async function expectAskedOnce(page: Page, path: string, early: string[], later: string[] = []): Promise<void> {
  let openCodeGate: () => void = () => {}
  const codeGate = new Promise<void>((resolve) => {
    openCodeGate = resolve
  })
  // Late requests of the previous screen must not count for this one.
  await page.goto('about:blank')
  const CODE = '**/assets/index-*.js'
  await page.route(CODE, async (route) => {
    await codeGate
    await route.continue()
  })
  const requests: string[] = []
  const note = (request: Request) => {
    const [, name] = /\/api\/v1\/(.+)/.exec(new URL(request.url()).pathname) ?? []
    if (request.method() === 'GET' && name && !['dashboard', 'events'].includes(name)) requests.push(name)
  }
  page.on('request', note)
  await page.goto(path, { waitUntil: 'commit' })
  await expect.poll(() => requests.toSorted()).toEqual(early)
  openCodeGate()
  await expectAppReady(page)
  await expect(page.locator('#root').getByText('Loading', { exact: false })).toHaveCount(0)
  await expect.poll(() => requests.toSorted()).toEqual([...early, ...later].toSorted())
  page.off('request', note)
  await page.unroute(CODE)
}

test('each screen is delivered with its own data', () => {
  const drawnScreens = JSON.parse(readFileSync('dist/screens.json', 'utf8')) as Record<
    string,
    Record<string, PrerenderedScreen>
  >
  const asks = Object.keys(OWN_DATA).map((path) => [
    path,
    drawnScreens['en']?.[path]?.asks.map((ask) => ask.slice(1)).toSorted(),
  ])
  expect(Object.fromEntries(asks)).toEqual(OWN_DATA)
})

test('a screen requests its data together with the page and only once, including a transaction named in the address', async ({
  page,
}) => {
  await expectAskedOnce(page, '/transfer', ['contacts', 'schedules'])
  const [latest] = await readNewest(page, 1)
  const detailPath = `transactions/${latest?.id}`
  await expectAskedOnce(
    page,
    `/transaction-detail?id=${latest?.id}`,
    ['me', detailPath],
    [
      `${detailPath}/dispute`,
      // The card's frozen state, and the recurring payments.
      'cards',
      'analytics/recurring',
    ],
  )
  await expect(page.getByText(latest?.transactionId ?? '')).toBeVisible()
  await expectAskedOnce(page, '/transaction-detail?id=../session', ['me'])
  await expect(page.getByText('Transaction not found')).toBeVisible()
})

test('buttons are disabled until the app has started, and later presses are never lost', async ({ page }) => {
  // The prerendered page must be inert while the app renders beside it, because a press on it would have no effect.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const root = document.getElementById('root')
      if (!root || root.inert || document.documentElement.dataset['checked']) return
      document.documentElement.dataset['checked'] = String(
        Object.keys(root.querySelector('form') ?? {}).some((key) => key.startsWith('__react')),
      )
    }).observe(document, { attributes: true, subtree: true, childList: true })
  })
  await page.goto('/add-money')
  await page.getByRole('button', { name: 'Add Money' }).click()
  await expect(page.getByText('Please enter a valid amount')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-checked', 'true')
})

test('three tabs that are opened at once show one customer', async ({ context }) => {
  const customers = await Promise.all(
    [1, 2, 3].map(async () => {
      const tab = await context.newPage()
      await tab.goto('/settings')
      return tab.getByRole('region', { name: 'Signed in as' }).locator('p').nth(1).textContent()
    }),
  )
  expect(new Set(customers).size).toBe(1)
  expect(customers[0]).toContain('@')
})

test('a first page is delivered with its screen, requests each item once, and gets no refusal', async ({
  page,
  context,
}) => {
  const requests: string[] = []
  const failedResponses: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) failedResponses.push(`${response.status()} ${response.url()}`)
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
  // Live events may cause further requests, for example when another journey moves the date.
  const beforeStream = [...requests, 'GET /api/v1/events']
  const firstRequests = beforeStream
    .slice(0, beforeStream.indexOf('GET /api/v1/events'))
    .filter((request) => /session\/visit|\/me$|\/dashboard$/.test(request))
  // The response to the visit contains the new customer.
  expect(firstRequests).toEqual(['POST /api/v1/session/visit', 'GET /api/v1/dashboard'])
  expect(failedResponses).toEqual([])

  const scriptlessContext = await context
    .browser()
    ?.newContext({ javaScriptEnabled: false, baseURL: new URL(page.url()).origin })
  const scriptlessPage = await scriptlessContext?.newPage()
  if (!scriptlessPage) throw new Error('There is no second page')
  await scriptlessPage.goto('/transfer')
  await expect(scriptlessPage.getByText('Recent Contacts')).toBeVisible()
  await expect(scriptlessPage).toHaveTitle('Send Money · Alder')
  for (const [language, contacts, title] of [
    ['de', 'Letzte Kontakte', 'Geld senden · Alder'],
    ['ar', 'جهات الاتصال الأخيرة', 'إرسال الأموال · Alder'],
  ] as const) {
    await scriptlessPage.context().addCookies([{ name: 'alder-language', value: language, url: page.url() }])
    await scriptlessPage.goto('/transfer')
    await expect(scriptlessPage.getByText(contacts)).toBeVisible()
    await expect(scriptlessPage).toHaveTitle(title)
  }
  await scriptlessContext?.close()
})
