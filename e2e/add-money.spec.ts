import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { readFromBank, readNewest, findToast, visit } from './bank.ts'

async function add(page: Page, amount: string, method: string, toastText: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.getByRole('radio', { name: method }).check()
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await expect(findToast(page, toastText)).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
}

test('a top-up by card arrives at once, and a top-up from a bank is shown as pending', async ({ page }) => {
  await visit(page)
  await page.goto('/add-money')
  const balance = page.getByRole('region', { name: 'Balance' })
  await add(page, '50', 'Debit Card', '$50.00 added successfully!')
  await expect(balance).toContainText('$12,508.50')
  // A customer's own top-up is not income.
  await expect(balance).toContainText('+$2,340.00 this month')
  expect((await readNewest(page, 1))[0]).toMatchObject({ amountMinor: 50_00, category: 'top_up', status: 'completed' })

  await page.getByRole('link', { name: 'Add Money', exact: true }).click()
  await add(page, '1234.5', 'Bank Transfer', '$1,234.50 is on its way')
  await expect(balance).toContainText('$1,234.50 on its way to you')
  const { account } = await readFromBank<Dashboard>(page, '/dashboard')
  expect(account).toMatchObject({ availableMinor: 1_250_850, incomingMinor: 1_234_50 })
  expect((await readNewest(page, 1))[0]).toMatchObject({ amountMinor: 1_234_50, status: 'pending' })
})
