import { expect, test } from '@playwright/test'
import { available, openListening, toast, visit } from './bank.ts'

test('what someone pays in from another bank is on Home at once, and what their bank takes back is gone', async ({
  page,
  context,
}) => {
  await visit(page)
  await openListening(page, '/dashboard')
  const before = await available(page)
  const other = await context.newPage()
  await other.goto('/account-details')
  await other.getByRole('link', { name: /Try It Out/ }).click()
  await other.getByRole('button', { name: /Be Paid from Another Bank/ }).click()
  const sheet = other.getByRole('dialog')
  await sheet.getByLabel("Sender's Name").fill('Harbor Payroll')
  await sheet.getByLabel('Amount').fill('1250')
  await sheet.getByLabel('Reference (optional)').fill('Salary August')
  await sheet.getByRole('button', { name: 'Pay In' }).click()

  await expect(toast(page, 'Harbor Payroll sent you $1,250.00')).toBeVisible()
  const line = page.getByRole('main').getByRole('link', { name: /Harbor Payroll.*\+\$1,250\.00/ })
  await expect(line).toBeVisible()
  expect(await available(page)).toBe(before + 1_250_00)
  await line.click()
  await expect(page.getByRole('main').getByText('Salary August')).toBeVisible()

  await expect(sheet).toBeHidden()
  await other.getByRole('button', { name: /Have It Taken Back/ }).click()
  await expect(toast(other, "Harbor Payroll's bank took back $1,250.00")).toBeVisible()
  expect(await available(page)).toBe(before)
})
