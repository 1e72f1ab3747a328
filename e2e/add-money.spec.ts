import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { ask, available, newest, toast, visit } from './bank.ts'

const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()

test('asks for the amount first and the method second', async ({ page }) => {
  await visit(page)
  await page.goto('/add-money')
  await submit(page)
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveAccessibleDescription('Enter an amount')
  await expect(page.getByRole('radiogroup')).toHaveAccessibleDescription('Choose a payment method')
  for (const amount of ['0', '-1', '1e3', '0.001', 'NaN', '0,500', '1.000']) {
    await page.getByRole('textbox', { name: 'Amount' }).fill('')
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await submit(page)
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveAttribute('aria-invalid', 'true')
    await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  }
  await page.getByRole('button', { name: '$50', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('50.00')
  await submit(page)
  await expect(toast(page, 'Please select a payment method')).toBeVisible()
  expect(await available(page)).toBe(1_245_850)
})

for (const [method, name] of [
  ['Debit Card', 'card'],
  ['Digital Wallet', 'wallet'],
] as const) {
  test(`adds by ${name} at once`, async ({ page }) => {
    await visit(page)
    await page.goto('/add-money')
    await page.getByRole('button', { name: '$50', exact: true }).click()
    await page.getByRole('radio', { name: method }).click()
    await submit(page)
    await expect(toast(page, '$50.00 added successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,508.50')
    // Putting in money of one's own is no income.
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('+$2,340.00 this month')
    expect(await available(page)).toBe(1_250_850)
    expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: 5000, category: 'top_up', status: 'completed' })
  })
}

test('by bank it is on its way until the date it says', async ({ page }) => {
  await visit(page)
  await page.goto('/add-money')
  // The page comes with its screen, which hears no key before the app stands there.
  await page.getByRole('textbox', { name: 'Amount' }).click()
  await page.getByRole('textbox', { name: 'Amount' }).pressSequentially('1234.5')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('1234.5')
  await page.getByRole('radio', { name: 'Bank Transfer' }).click()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('1,234.50')
  await submit(page)
  await expect(toast(page, '$1,234.50 added successfully!')).toContainText('will arrive by')
  await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('$12,458.50')
  await expect(balance).toContainText('$1,234.50 on its way to you')
  const { account } = await ask<Dashboard>(page, '/dashboard')
  expect(account).toMatchObject({ availableMinor: 1_245_850, incomingMinor: 123_450 })
  expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: 123_450, status: 'pending' })
  await page.getByRole('link', { name: /Bank top-up.*Pending/ }).click()
  await expect(page.getByText('It arrives by Monday, August 31.')).toBeVisible()
})
