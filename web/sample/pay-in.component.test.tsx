import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { grouped } from '#contract/bank-numbers.ts'
import { expectAccessible } from '#web/test/accessible.ts'
import { open, press, toast } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const field = (name: string) => page.getByRole('textbox', { name })
const send = page.getByRole('dialog').getByRole('button', { name: 'Pay In' })

async function openSheet(): Promise<string> {
  const { details } = await bank.recorded('/account-details')
  await open('/sample')
  await page.getByRole('button', { name: /Be Paid from Another Bank/ }).click()
  const number = details?.accountNumber ?? ''
  await expect.element(field('Account Number')).toHaveValue(grouped(number))
  return number
}

test('someone pays in to the account number that is shown', async () => {
  bank.post('/sample/transfers', { sentBack: null })
  const number = await openSheet()
  await expectAccessible('pay in')
  await field("Sender's Name").fill(' Harbor Payroll ')
  await field('Amount').fill('1250')
  await field('Reference (optional)').fill('Salary August')
  await press(send)
  await expect.element(toast('Harbor Payroll sent $1,250.00')).toBeVisible()
  const sent = { payerName: 'Harbor Payroll', amountMinor: 1_250_00, reference: 'Salary August' }
  expect(changes()).toMatchObject([{ path: '/sample/transfers', json: { ...sent, accountNumber: grouped(number) } }])
})

test('a number that is nobody’s has it sent back, and says why', async () => {
  bank.post('/sample/transfers', { sentBack: 'account_number_invalid' })
  await openSheet()
  await field('Amount').fill('5')
  await field('Account Number').fill('12')
  await press(send)
  await expect.element(toast('$5.00 goes back to Rosa Lind')).toBeVisible()
  await expect.element(page.getByText("That isn't an account number")).toBeVisible()
})

test('each empty field is named', async () => {
  await openSheet()
  await field("Sender's Name").fill(' ')
  await field('Account Number').fill('')
  await press(send)
  await expect.element(field("Sender's Name")).toHaveAccessibleDescription("Enter the sender's name")
  await expect.element(field('Amount')).toHaveAccessibleDescription('Enter an amount US Dollar')
  await expect.element(field('Account Number')).toHaveAccessibleDescription('Enter the account number')
  expect(changes()).toEqual([])
})

test('the sender’s bank takes back the last one, where there is one', async () => {
  bank.post('/sample/transfer-recalls', { name: 'Rosa Lind', amountMinor: 25_00, asset: 'USD' })
  await open('/sample')
  const recall = page.getByRole('button', { name: /Have It Taken Back/ })
  await recall.click()
  await expect.element(toast("Rosa Lind's bank took back $25.00")).toBeVisible()
  bank.post('/sample/transfer-recalls', () => refused('transfer_missing'))
  await press(recall)
  await expect.element(toast(/There's no transfer to take back/)).toBeVisible()
})
