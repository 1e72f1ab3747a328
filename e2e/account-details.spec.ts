import { expect, test } from '@playwright/test'
import { readAvailable, openWithLiveEvents, findToast, visit } from './bank.ts'

test('a deposit from another bank appears on Home at once, and disappears when that bank takes it back', async ({
  page,
  context,
}) => {
  await visit(page)
  await openWithLiveEvents(page, '/dashboard')
  const availableBefore = await readAvailable(page)
  const otherPage = await context.newPage()
  await otherPage.goto('/account-details')
  await otherPage.getByRole('link', { name: /Try It Out/ }).click()
  await otherPage.getByRole('button', { name: /Get Paid from Another Bank/ }).click()
  const sheet = otherPage.getByRole('dialog')
  await sheet.getByLabel("Sender's Name").fill('Harbor Payroll')
  await sheet.getByLabel('Amount').fill('1250')
  await sheet.getByLabel('Reference (optional)').fill('Salary August')
  await sheet.getByRole('button', { name: 'Send Payment' }).click()

  await expect(findToast(page, 'Harbor Payroll sent you $1,250.00')).toBeVisible()
  const line = page.getByRole('main').getByRole('link', { name: /Harbor Payroll.*\+\$1,250\.00/ })
  await expect(line).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore + 1_250_00)
  await line.click()
  await expect(page.getByRole('main').getByText('Salary August')).toBeVisible()

  await expect(sheet).toBeHidden()
  await otherPage.getByRole('button', { name: /Have a Transfer Reversed/ }).click()
  await expect(findToast(otherPage, "Harbor Payroll's bank reversed a transfer of $1,250.00")).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore)
})
