import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { asksBank, goTo, speak, visit } from './bank.ts'

const PANES = { width: 1280, height: 800 }

const box = (page: Page) => page.getByRole('searchbox')
const results = (page: Page) => page.locator('[data-results] a')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const topicsOf = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Popular Topics' }) })
const FREEZE = "If you can't find your card, choose Freeze: from that moment, new payments are declined."

test('shows the ways to ask, topics with as many articles as they say, and what it claims', async ({ page }) => {
  await visit(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Help Center' }).click()
  await expect(heading(page, 'Help Center')).toBeVisible()
  await expect(box(page)).toHaveAttribute('placeholder', 'Search for help')
  await expect(page.getByRole('link', { name: /^Live Chat/ })).toHaveAttribute('href', '/ai-advisor')
  await expect(page.getByRole('link', { name: /^Email Support/ })).toHaveAttribute('href', 'mailto:help@alder.example')
  await expect(page.getByRole('link', { name: /^Phone Support/ })).toHaveAttribute('href', 'tel:+18005550199')
  const claims = page.getByRole('region', { name: '24/7 Support' })
  await expect(claims).toContainText('Average response: under 2 minutes.')

  const topics = topicsOf(page).getByRole('link')
  await expect(topics).toHaveText([
    'Managing Cards8 articles',
    'Security & Privacy12 articles',
    'Account Settings10 articles',
    'Payments & Transfers15 articles',
  ])
  for (const [name, count] of [
    ['Managing Cards', 8],
    ['Security & Privacy', 12],
    ['Account Settings', 10],
    ['Payments & Transfers', 15],
  ] as const) {
    await topics.filter({ hasText: name }).click()
    await expect(heading(page, name)).toBeFocused()
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(count)
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(heading(page, 'Help Center')).toBeFocused()
  }
  await claims.getByRole('link', { name: 'Start Chat Now' }).click()
  await expect(page).toHaveURL('/ai-advisor')
  await page.goBack()
  await page.getByRole('link', { name: /^Live Chat/ }).click()
  await expect(page).toHaveURL('/ai-advisor')
  await goTo(page, '/help-center')
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL('/settings')
})

test('a topic leads to its articles, each of which leads to its screen, and Back comes the same way', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/help-center')
  await page.getByRole('link', { name: /^Managing Cards/ }).click()
  await page.getByRole('link', { name: 'Freeze a lost card' }).click()
  await expect(heading(page, 'Freeze a lost card')).toBeVisible()
  await expect(page).toHaveURL('/help-center/article?topic=cards&id=freeze_card')
  await expect(page).toHaveTitle(/Freeze a lost card · Alder$/)
  await expect(page.getByText(FREEZE)).toBeVisible()
  await page.reload()
  await expect(page.getByText(FREEZE)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Cards' }).click()
  await expect(page).toHaveURL('/cards')
  await page.goBack()
  await expect(heading(page, 'Freeze a lost card')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Managing Cards')).toBeVisible()
  await page.goForward()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL('/help-center?topic=cards')

  await page.goto('/help-center/article?id=no_such_article')
  await expect(page.getByRole('heading', { name: 'Article not found' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Help Center' }).click()
  await expect(page).toHaveURL('/help-center')
})

test('finds articles as one types, without asking the bank, and says how many', async ({ page }) => {
  await visit(page)
  await page.goto('/help-center')
  await expect(page.getByRole('link', { name: /^Live Chat/ })).toBeVisible()
  // What the app asks for ahead of need comes a while after the screen's own.
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
  const asked: string[] = []
  page.on('request', (request) => {
    if (asksBank(request)) asked.push(request.url())
  })
  const status = page.getByRole('main').getByRole('status')
  await box(page).pressSequentially('card')
  await expect(status).toHaveText(/^\d+ results$/)
  await expect(topicsOf(page)).toHaveCount(0)
  await box(page).pressSequentially(' FROZEN')
  await expect(results(page)).toHaveText([/^When a card payment is declined/])
  await expect(status).toHaveText('1 result')
  await expect(page).toHaveURL('/help-center?q=card+FROZEN')
  await box(page).fill('zebra')
  await expect(status).toHaveText('Nothing found for “zebra”')
  await expect(page.getByRole('heading', { name: 'Nothing found for “zebra”' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Start Chat Now' })).toHaveAttribute(
    'href',
    '/ai-advisor',
  )
  await expectAccessible(page, 'nothing found')
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(topicsOf(page)).toBeVisible()
  expect(asked).toEqual([])

  // What was found is there again behind the article, by either way back.
  await box(page).fill('routing')
  await results(page).click()
  await expect(heading(page, 'Link an account at another bank')).toBeVisible()
  await page.goBack()
  await expect(box(page)).toHaveValue('routing')
  await results(page).click()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(box(page)).toHaveValue('routing')
  await expect(results(page)).toHaveCount(1)
})

test.describe('in a wide window', () => {
  test.use({ viewport: PANES, isMobile: false, hasTouch: false })

  test('an article opened as soon as it is found stays open, and the keys go from one to the next', async ({
    page,
  }) => {
    await visit(page)
    await page.goto('/help-center')
    const detail = page.locator('[data-detail]')
    await expect(detail).toContainText('No article selected')
    // What hears keys comes with the rail.
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await page.keyboard.press('/')
    await expect(box(page)).toBeFocused()
    // Faster than the address follows what is typed.
    await page.keyboard.insertText('virtual')
    await page.keyboard.press('ArrowDown')
    await expect(results(page).first()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(detail.getByRole('heading', { level: 1, name: 'Create a virtual card' })).toBeVisible()
    await expect(results(page).first()).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL('/help-center/article?q=virtual&id=create_card')
    await page.keyboard.press('ArrowDown')
    await expect(detail.getByRole('heading', { level: 1, name: 'Put money on a virtual card' })).toBeVisible()
    await expectAccessible(page, 'an article beside its list')
    await page.keyboard.press('Enter')
    await expect(detail.getByRole('heading', { level: 1 })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(detail.getByRole('link', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(detail.getByRole('link', { name: 'Cards' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(detail).toContainText('No article selected')
    await expect(box(page)).toHaveValue('virtual')

    // By the mouse, too: what is typed settles while the article opens.
    await box(page).fill('premium')
    await results(page).first().click()
    await expect(page).toHaveURL('/help-center/article?q=premium&id=premium')
    await expect(detail.getByRole('heading', { level: 1, name: 'Upgrade to Premium, or cancel it' })).toBeVisible()
    await box(page).fill('premium points')
    await expect(page).toHaveURL('/help-center/article?q=premium+points&id=premium')
    await expect(detail.getByRole('heading', { level: 1, name: 'Upgrade to Premium, or cancel it' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/help-center\?q=/)
  })
})

test('is found in Arabic however it is typed, and read from right to left', async ({ page }) => {
  await visit(page)
  await speak(page, 'ar')
  await page.goto('/help-center')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByText('15 مقالًا')).toBeVisible()
  for (const query of ['تجميد بطاقه', 'بِطَاقَة، تجميد', 'تجـميد؛ البطاقة']) {
    await box(page).fill(query)
    await expect(results(page).first()).toContainText('تجميد بطاقة مفقودة')
  }
  await results(page).first().click()
  await expect(heading(page, 'تجميد بطاقة مفقودة')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'البطاقات' })).toHaveAttribute('href', '/cards')
  await expectAccessible(page, 'an article in Arabic')
})

test.describe('without a line', () => {
  test.use({ serviceWorkers: 'allow' })

  test('is all there in English, and in a language that was spoken', async ({ page, context }) => {
    test.setTimeout(60_000)
    await visit(page)
    await page.goto('/dashboard')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 20_000 })
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
    timeout: 15_000,
  })
  await page.unroute('**/assets/articles-de-*.js')
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('link', { name: 'Verlorene Karte sperren' })).toBeVisible({ timeout: 15_000 })
})
