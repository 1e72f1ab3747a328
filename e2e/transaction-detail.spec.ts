import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { newest, visit } from './bank.ts'

async function open(page: Page, name: RegExp): Promise<void> {
  await page.goto('/transactions')
  await page.getByRole('link', { name }).first().click()
  await expect(page).toHaveURL(/\/transaction-detail\?id=/)
}

const value = (page: Page, label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')

test('shows every part of it, the same after a reload', async ({ page }) => {
  await visit(page)
  const [latest] = await newest(page, 1)
  await open(page, /Copper Kettle Coffee/)
  for (const again of [false, true]) {
    if (again) await page.reload()
    await expect(value(page, 'Transaction ID')).toHaveText(/^TXN[0-9A-Z]{9}$/)
    await expect(value(page, 'Transaction ID')).toHaveText(latest?.transactionId ?? '')
    await expect(value(page, 'Reference')).toHaveText(/^REF[0-9A-Z]{6}$/)
    await expect(value(page, 'Date & Time')).toHaveText('Fri, Aug 28, 2026, 8:12 AM')
    await expect(value(page, 'Category')).toHaveText('Food & Drink')
    await expect(value(page, 'Payment Method')).toHaveText(/^Debit card •••• \d{4}$/)
    await expect(value(page, 'Status')).toHaveText('Completed')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('−$5.60')
  }
  await expect(page.getByText('Smart Tip')).toBeVisible()
  // All of August's food and drink, which is what Analytics shows too.
  await expect(page.getByText('$520.00 in all', { exact: false })).toBeVisible()
  // Its address alone leads to it, as in another tab, and names the one that was chosen.
  const other = await page.context().newPage()
  await other.goto(`/transaction-detail?id=${latest?.id}`)
  await expect(value(other, 'Transaction ID')).toHaveText(latest?.transactionId ?? '')
  expect(new URL(page.url()).searchParams.get('id')).toBe(latest?.id)
})

test('gives no tip about income', async ({ page }) => {
  await visit(page)
  await open(page, /\+\$3,500\.00/)
  await expect(value(page, 'Category')).toHaveText('Income')
  await expect(page.getByText('Smart Tip')).toHaveCount(0)
})

test('hands over the receipt as a PDF and shares in words', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await visit(page)
  const [latest] = await newest(page, 1)
  await open(page, /Copper Kettle Coffee/)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Receipt' }).click()
  const receipt = await coming
  expect(receipt.suggestedFilename()).toBe(`alder-receipt-${latest?.transactionId}.pdf`)
  expect((await readFile(await receipt.path())).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Copied to clipboard')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('Copper Kettle Coffee: −$5.60')
  expect(copied).toContain(latest?.transactionId)
})

test('says so where no transaction was chosen, or it is not there', async ({ page }) => {
  await visit(page)
  // What is no id may be the name of something else in the API.
  for (const query of ['?id=none', '?id=', '?id=summary', '?id=..%2Fme', `?id=${randomUUID()}`]) {
    await page.goto(`/transaction-detail${query}`)
    await expect(page.getByText('Transaction not found')).toBeVisible()
  }
  await page.goto('/transaction-detail')
  await expect(page.getByText('Transaction not found')).toBeVisible()
  await page.getByRole('button', { name: 'Back to Transactions' }).click()
  await expect(page).toHaveURL('/transactions')

  await page.route('**/api/v1/transactions/*', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'transaction_not_found' } } }),
  )
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  await expect(page.getByText('Transaction not found')).toBeVisible()
})
