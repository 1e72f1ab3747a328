import { expect, type Page, test } from '@playwright/test'
import { speak, visit } from './bank.ts'

const box = (page: Page) => page.getByRole('searchbox')
const results = (page: Page) => page.locator('[data-results] a')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const FREEZE = "If you can't find your card, choose Freeze: from that moment, new payments are declined."

test.describe('without a line', () => {
  test.use({ serviceWorkers: 'allow' })

  test('is all there in English, and in a language that was spoken', async ({ page, context }) => {
    test.setTimeout(60_000)
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
