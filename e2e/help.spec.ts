import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { PICTURES } from '#web/help/pictures.ts'
import { ask, goTo, speak, visit } from './bank.ts'

const box = (page: Page) => page.getByRole('searchbox')
const results = (page: Page) => page.locator('[data-results] a')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const FREEZE = "If you can't find your card, choose Freeze: from that moment, new payments are declined."

test.describe('without a line', () => {
  test.use({ serviceWorkers: 'allow' })

  test('is all there in English, and in a language that was spoken', async ({ page, context }) => {
    await visit(page)
    await page.goto('/dashboard')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 45_000 })
    // German is chosen while the worker is there; help is never opened before the line is gone.
    await page.goto('/language')
    await page.getByRole('radio', { name: /Deutsch/ }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    const isKept = () =>
      page.evaluate(async () => {
        const names = (await caches.keys()).filter((name) => name.startsWith('alder-app-'))
        const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return kept.flat().some(({ url }) => url.includes('/articles-de-'))
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

test('articles that do not come say so, and are there once they can be had', async ({ page }) => {
  await visit(page)
  await speak(page, 'de')
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

/** What each screen is to have on it, by the names that articles' pictures point at. */
const CONTROLS = Map.groupBy(Object.values(PICTURES), ({ path }) => path)

test('what articles point at stands on the screens that they lead to', async ({ page }) => {
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

test("an article's picture is the customer's own screen, and changes nothing", async ({ page }) => {
  await visit(page)
  const before = await ask<Dashboard>(page, '/dashboard')
  expect(before.unreadNotifications).toBeGreaterThan(0)
  await goTo(page, '/dashboard')
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  await expect(page.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  const kept = () => page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.keys(sessionStorage)]))
  const picture = page.frameLocator('figure iframe')

  // Opening the screen itself would mark them as read.
  await goTo(page, '/help-center/article?id=declined_payment')
  const keptBefore = await kept()
  await expect(picture.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expect(picture.getByText('Card payment').first()).toBeVisible()
  await expect(page.getByText('Picture of Notifications')).toBeAttached()

  await page.getByRole('link', { name: "Set a card's limits" }).click()
  const ring = page.locator('[data-ring]')
  await expect(ring).toBeVisible()
  // The app draws the ring a moment after the last change around the control.
  await expect(async () => {
    const control = await picture.getByRole('button', { name: 'Limits and Controls' }).first().boundingBox()
    const around = await ring.boundingBox()
    if (!control || !around) throw new Error('There is nothing to compare')
    expect(around.x).toBeLessThanOrEqual(control.x)
    expect(around.y).toBeLessThanOrEqual(control.y)
    expect(around.x + around.width).toBeGreaterThanOrEqual(control.x + control.width)
    expect(around.y + around.height).toBeGreaterThanOrEqual(control.y + control.height)
    expect(around.height).toBeLessThan(control.height + 20)
  }).toPass({ timeout: 20_000 })

  await goTo(page, '/help-center/article?id=offline')
  await expect(picture.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  await expect(picture.getByRole('region', { name: 'Balance' })).not.toContainText('$')

  expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([])
  expect(asked.filter((one) => one.endsWith('/events'))).toEqual([])
  expect(asked.filter((one) => one === 'GET /api/v1/dashboard').length).toBeGreaterThan(0)
  expect(await kept()).toBe(keptBefore)
  expect((await ask<Dashboard>(page, '/dashboard')).unreadNotifications).toBe(before.unreadNotifications)
})
