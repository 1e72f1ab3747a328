import { expect, test } from '@playwright/test'
import { visit } from './bank.ts'

test('a sheet whose code does not load shows an error, and opens once the code can be loaded', async ({ page }) => {
  await visit(page)
  await page.route('**/assets/filter-sheet-*.js', (route) => route.abort())
  await page.goto('/transactions')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText("We couldn't reach Alder")
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /Copper Kettle Coffee/ })
      .first(),
  ).toBeVisible()
  await page.unroute('**/assets/filter-sheet-*.js')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
})
