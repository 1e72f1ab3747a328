import { expect, test } from '@playwright/test'
import { readNewest, visit, visitIn } from './bank.ts'

// Behavior that only a mouse, the built app or a reload shows. web/app/desktop.component.test.tsx covers the rest.
test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false })

test('a transaction stays open beside its list after a reload, and the command palette is fetched when it is first opened', async ({
  page,
}) => {
  const fetchedUrls: string[] = []
  page.on('request', (request) => fetchedUrls.push(request.url()))
  await visit(page)
  const [, secondTransaction] = await readNewest(page, 2)
  await page.goto('/transactions')
  await page.locator('[data-list] a[data-row]').nth(1).click()
  const detail = page.locator('[data-detail]')
  await expect(detail).toContainText(secondTransaction?.transactionId ?? '')
  await page.reload()
  await expect(detail).toContainText(secondTransaction?.transactionId ?? '')
  await expect(page.locator('[data-list] [aria-current]')).toHaveCount(1)
  const search = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Search' })
  await expect(search).toBeVisible()
  expect(fetchedUrls.filter((url) => /\/palette-/.test(url))).toEqual([])
  await search.click()
  await page.getByRole('combobox', { name: 'Search Alder' }).fill('sarah')
  await expect(page.getByRole('option', { selected: true })).toContainText('sarah.johnson@example.com')
})

test('the navigation rail shows all places in a window of 800 pixels, each on one line', async ({ page }) => {
  for (const language of ['en', 'ja', 'pl']) {
    await visitIn(page, language)
    // The link to this screen is in the group More, which is open on this screen.
    await page.goto('/loans')
    const links = page.locator('nav li a')
    await expect(links).toHaveCount(17)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 })
    const heights = await links.evaluateAll((elements) => elements.map((link) => link.getBoundingClientRect().height))
    expect(new Set(heights), language).toEqual(new Set([32]))
  }
})
