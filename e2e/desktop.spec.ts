import { expect, test } from '@playwright/test'
import { newest, visit, visitIn } from './bank.ts'

// What only a mouse, the built app and a reload show. The rest is proved by web/app/desktop.component.test.tsx.
test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false })

test('a transaction stays open beside its list over a reload; the palette is fetched when it is first opened', async ({
  page,
}) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await visit(page)
  const [, second] = await newest(page, 2)
  await page.goto('/transactions')
  await page.locator('[data-list] a[data-row]').nth(1).click()
  const detail = page.locator('[data-detail]')
  await expect(detail).toContainText(second?.transactionId ?? '')
  await page.reload()
  await expect(detail).toContainText(second?.transactionId ?? '')
  await expect(page.locator('[data-list] [aria-current]')).toHaveCount(1)
  const search = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Search' })
  await expect(search).toBeVisible()
  expect(fetched.filter((url) => /\/palette-/.test(url))).toEqual([])
  await search.click()
  await page.getByRole('combobox', { name: 'Search Alder' }).fill('sarah')
  await expect(page.getByRole('option', { selected: true })).toContainText('sarah.johnson@example.com')
})

test('the rail shows all places in a window of 800 pixels, each on one line', async ({ page }) => {
  for (const language of ['en', 'ja', 'pl']) {
    await visitIn(page, language)
    // Its place is under More, which is open there.
    await page.goto('/loans')
    const links = page.locator('nav li a')
    await expect(links).toHaveCount(17)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 })
    const heights = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    expect(new Set(heights), language).toEqual(new Set([32]))
  }
})
