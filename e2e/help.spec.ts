import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { PICTURES } from '#web/help/article-pictures.ts'
import { readFromBank, goTo, setPageLanguage, visit } from './bank.ts'

const box = (page: Page) => page.getByRole('searchbox')
const results = (page: Page) => page.locator('[data-results] a')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const FREEZE = "If you can't find your card, choose Freeze: from that moment, new payments are declined."

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' })

  test('shows all articles in English and in a language that was used before', async ({ page, context }) => {
    await visit(page)
    await page.goto('/dashboard')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 45_000 })
    // The customer chooses German while the service worker runs, and never opens the help center before the network is lost.
    await page.goto('/language')
    await page.getByRole('radio', { name: /Deutsch/ }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    const isKept = () =>
      page.evaluate(async () => {
        const names = (await caches.keys()).filter((name) => name.startsWith('alder-app-'))
        const cachedKeys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return cachedKeys.flat().some(({ url }) => url.includes('/articles-de-'))
      })
    await expect.poll(isKept).toBe(true)
    await context.setOffline(true)
    await page.goto('/help-center')
    await box(page).fill('karte sperren')
    await results(page).first().click()
    await expect(heading(page, 'Verlorene Karte sperren')).toBeVisible()
    await page.evaluate(() => localStorage.setItem('alder.language', 'en'))
    await page.goto('/help-center/article?id=freeze_card')
    await expect(page.getByText(FREEZE)).toBeVisible()
  })
})

test('shows an error when articles do not load, and shows the articles once they can be loaded', async ({ page }) => {
  await visit(page)
  await setPageLanguage(page, 'de')
  let articles = 0
  page.on('request', (request) => (articles += request.url().includes('/assets/articles-') ? 1 : 0))
  await page.goto('/cards')
  await expect(heading(page, 'Karten')).toBeVisible()
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
  expect(articles, 'no other screen has them').toBe(0)
  await page.route('**/assets/articles-de-*.js', (route) => route.abort())
  await page.goto('/help-center?topic=cards')
  await expect(page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' })).toBeVisible({
    timeout: 45_000,
  })
  await page.unroute('**/assets/articles-de-*.js')
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('link', { name: 'Verlorene Karte sperren' })).toBeVisible({ timeout: 45_000 })
})

/** The controls of each screen, by the names that the pictures of help articles point at. */
const CONTROLS = Map.groupBy(Object.values(PICTURES), ({ path }) => path)

test('the screens that articles link to show the elements that the articles name', async ({ page }) => {
  await visit(page)
  for (const [path, pictures] of CONTROLS) {
    await goTo(page, path)
    await expect(page.locator('[data-screen=current] h1')).toBeVisible()
    for (const control of new Set(pictures.map((picture) => picture.control))) {
      if (control === null) continue
      const named = page.getByText(control, { exact: true }).or(page.getByLabel(control, { exact: true }))
      await expect(named.filter({ visible: true }).first(), `${control} on ${path}`).toBeVisible()
    }
  }
})

test('the picture in an article is the customer’s own screen, and using it changes nothing', async ({ page }) => {
  await visit(page)
  const dashboardBefore = await readFromBank<Dashboard>(page, '/dashboard')
  expect(dashboardBefore.unreadNotifications).toBeGreaterThan(0)
  await goTo(page, '/dashboard')
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  await expect(page.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  const readStorage = () =>
    page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.keys(sessionStorage)]))
  const picture = page.frameLocator('figure iframe')

  // The article shows a picture of the screen. Opening the screen itself would mark the notifications as read.
  await goTo(page, '/help-center/article?id=declined_payment')
  const keptBefore = await readStorage()
  await expect(picture.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expect(picture.getByText('Card payment').first()).toBeVisible()
  await expect(page.getByText('Picture of Notifications')).toBeAttached()

  await page.getByRole('link', { name: "Set a card's limits" }).click()
  const ring = page.locator('[data-ring]')
  await expect(ring).toBeVisible()
  // The app draws the ring a moment after the last change around the control.
  await expect(async () => {
    const controlBox = await picture.getByRole('button', { name: 'Limits and Controls' }).first().boundingBox()
    const ringBox = await ring.boundingBox()
    if (!controlBox || !ringBox) throw new Error('There is nothing to compare')
    expect(ringBox.x).toBeLessThanOrEqual(controlBox.x)
    expect(ringBox.y).toBeLessThanOrEqual(controlBox.y)
    expect(ringBox.x + ringBox.width).toBeGreaterThanOrEqual(controlBox.x + controlBox.width)
    expect(ringBox.y + ringBox.height).toBeGreaterThanOrEqual(controlBox.y + controlBox.height)
    expect(ringBox.height).toBeLessThan(controlBox.height + 20)
  }).toPass({ timeout: 20_000 })

  await goTo(page, '/help-center/article?id=offline')
  await expect(picture.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  await expect(picture.getByRole('region', { name: 'Balance' })).not.toContainText('$')

  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  expect(requests.filter((request) => request.endsWith('/events'))).toEqual([])
  expect(requests.filter((request) => request === 'GET /api/v1/dashboard').length).toBeGreaterThan(0)
  expect(await readStorage()).toBe(keptBefore)
  expect((await readFromBank<Dashboard>(page, '/dashboard')).unreadNotifications).toBe(
    dashboardBefore.unreadNotifications,
  )
})
