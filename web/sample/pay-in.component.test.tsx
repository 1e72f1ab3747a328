import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { groupDigits } from '#contract/bank-numbers.ts'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const field = (name: string) => page.getByRole('textbox', { name })
const send = page.getByRole('dialog').getByRole('button', { name: 'Send Payment' })

async function openSheet(): Promise<string> {
  const { details } = await bank.recorded('/account-details')
  await open('/sample')
  await page.getByRole('button', { name: /Get Paid from Another Bank/ }).click()
  const number = details?.accountNumber ?? ''
  await expect.element(field('Account Number')).toHaveValue(groupDigits(number))
  return number
}

test('a payment arrives at the displayed account number', async () => {
  bank.post('/sample/transfers', { sentBack: null })
  const number = await openSheet()
  await expectNoAxeViolations('pay in')
  await field("Sender's Name").fill(' Harbor Payroll ')
  await field('Amount').fill('1250')
  await field('Reference (optional)').fill('Salary August')
  await pressByKey(send)
  await expect.element(findToast('Harbor Payroll sent $1,250.00')).toBeVisible()
  const body = { payerName: 'Harbor Payroll', amountMinor: 1_250_00, reference: 'Salary August' }
  expect(changeRequests()).toMatchObject([
    { path: '/sample/transfers', json: { ...body, accountNumber: groupDigits(number) } },
  ])
})

test('a payment to an unknown number is returned, with the reason', async () => {
  bank.post('/sample/transfers', { sentBack: 'account_number_invalid' })
  await openSheet()
  await field('Amount').fill('5')
  await field('Account Number').fill('12')
  await pressByKey(send)
  await expect.element(findToast('$5.00 goes back to Rosa Lind')).toBeVisible()
  await expect.element(page.getByText("That isn't an account number")).toBeVisible()
})

test('each empty field is named', async () => {
  await openSheet()
  await field("Sender's Name").fill(' ')
  await field('Account Number').fill('')
  await pressByKey(send)
  await expect.element(field("Sender's Name")).toHaveAccessibleDescription("Enter the sender's name")
  await expect.element(field('Amount')).toHaveAccessibleDescription('Enter an amount US Dollar')
  await expect.element(field('Account Number')).toHaveAccessibleDescription('Enter the account number')
  expect(changeRequests()).toEqual([])
})

test('the sender’s bank takes back the last payment, if there is one', async () => {
  bank.post('/sample/transfer-recalls', { name: 'Rosa Lind', amountMinor: 25_00, asset: 'USD' })
  await open('/sample')
  const recall = page.getByRole('button', { name: /Have a Transfer Reversed/ })
  await recall.click()
  await expect.element(findToast("Rosa Lind's bank reversed a transfer of $25.00")).toBeVisible()
  bank.post('/sample/transfer-recalls', () => refusalAnswer('transfer_missing'))
  await pressByKey(recall)
  await expect.element(findToast(/There's no transfer to reverse/)).toBeVisible()
})
