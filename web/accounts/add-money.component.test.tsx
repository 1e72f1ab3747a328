import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { TopUpMethod, Transaction } from '#contract/accounts.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const amount = page.getByRole('textbox', { name: 'Amount' })
const submit = page.getByRole('main').getByRole('button', { name: 'Add Money' })

test('has the amount first and the method second', async () => {
  await open('/add-money')
  await submit.click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await expect.element(amount).toHaveAccessibleDescription('Enter an amount US Dollar')
  await expect.element(page.getByRole('radiogroup')).toHaveAccessibleDescription('Choose a payment method')
  for (const text of ['0', '-1', '1e3', '0.001', '0,500', '1.000']) {
    await amount.fill('1')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await pressByKey(submit)
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
    await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  }
  await page.getByRole('button', { name: '$50' }).click()
  await expect.element(amount).toHaveValue('50.00')
  await pressByKey(submit)
  await expect.element(findToast('Please select a payment method')).toBeVisible()
  expect(changeRequests()).toEqual([])
})

test.for([
  ['Debit Card', 'card', null, '$1,234.50 added successfully!'],
  ['Digital Wallet', 'wallet', null, '$1,234.50 added successfully!'],
  ['Bank Transfer', 'bank', '2026-08-31T09:00:00.000Z', '$1,234.50 is on its way'],
] as const)('adds money by %s and shows when it arrives', async ([name, method, settlesAt, toastText]) => {
  const [latest] = (await bank.recorded('/transactions')).transactions
  const transaction = { ...latest, status: settlesAt ? 'pending' : 'completed' } as Transaction
  bank.post('/top-ups', { transaction, settlesAt })
  await open('/add-money')
  await amount.fill('1234.5')
  await page.getByRole('radio', { name: new RegExp(name) }).click()
  await expect.element(amount).toHaveValue('1,234.50')
  await submit.click()
  await expect.element(findToast(toastText)).toBeVisible()
  // Exactly one of the two messages appears: "on its way" or "added".
  if (settlesAt) await expect.element(findToast(/will arrive by Monday, August 31/)).toBeVisible()
  expect(page.getByText(settlesAt ? /added successfully/ : /on its way/).query()).toBeNull()
  const body: { amountMinor: number; asset: 'USD'; method: TopUpMethod } = {
    amountMinor: 1_234_50,
    asset: 'USD',
    method,
  }
  expect(changeRequests()).toMatchObject([{ path: '/top-ups', json: body }])
})

test('a sheet that is opened meanwhile closes, and the completed form is not left behind it', async () => {
  const [latest] = (await bank.recorded('/transactions')).transactions
  bank.post('/top-ups', { transaction: latest as Transaction, settlesAt: null })
  await open('/transactions')
  await router.navigate('/add-money')
  await amount.fill('51')
  await page.getByRole('radio', { name: /Debit Card/ }).click()
  await submit.click()
  await expect.element(findToast('$51.00 added successfully!')).toBeVisible()
  await pressByKey(page.getByRole('button', { name: 'Pay', exact: true }))
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await expect.poll(readAddress, { timeout: 5_000 }).toBe('/dashboard')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  history.back()
  await expect.poll(readAddress).toBe('/transactions')
})
