import { expect, test } from '@playwright/test'
import { readAvailable, readNewest, findToast, visit } from './bank.ts'

test('money is added to a goal from the dashboard, which then shows it', async ({ page }) => {
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add to Vacation Fund' }).click()
  const form = page.getByRole('form', { name: 'Add to Vacation Fund' })
  await form.getByLabel('Add to Vacation Fund').fill('50')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(findToast(page, '$50.00 added to Vacation Fund!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Savings goal' })).toContainText('$2,500.00 of $5,000.00')
  // Savings do not count as spending.
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('+$2,340.00 this month')
  expect(await readAvailable(page)).toBe(1_240_850)
  expect((await readNewest(page, 1))[0]).toMatchObject({
    amountMinor: -50_00,
    category: 'savings',
    status: 'completed',
  })
})
