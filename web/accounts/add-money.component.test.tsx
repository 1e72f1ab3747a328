import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { TopUpMethod, Transaction } from '#contract/accounts.ts'
import { router } from '#web/app/routes.tsx'
import { address, open, press, toast } from '#web/test/app.tsx'
import { bank, changes } from '#web/test/bank.ts'

const amount = page.getByRole('textbox', { name: 'Amount' })
const submit = page.getByRole('main').getByRole('button', { name: 'Add Money' })

test('asks for the amount first and the method second', async () => {
  await open('/add-money')
  await submit.click()
  await expect.element(toast('Please enter a valid amount')).toBeVisible()
  await expect.element(amount).toHaveAccessibleDescription('Enter an amount US Dollar')
  await expect.element(page.getByRole('radiogroup')).toHaveAccessibleDescription('Choose a payment method')
  for (const text of ['0', '-1', '1e3', '0.001', '0,500', '1.000']) {
    await amount.fill('1')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await press(submit)
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
    await expect.element(toast('Please enter a valid amount')).toBeVisible()
  }
  await page.getByRole('button', { name: '$50' }).click()
  await expect.element(amount).toHaveValue('50.00')
  await press(submit)
  await expect.element(toast('Please select a payment method')).toBeVisible()
  expect(changes()).toEqual([])
})

test.for([
  ['Debit Card', 'card', null, '$1,234.50 added successfully!'],
  ['Digital Wallet', 'wallet', null, '$1,234.50 added successfully!'],
  ['Bank Transfer', 'bank', '2026-08-31T09:00:00.000Z', '$1,234.50 is on its way'],
] as const)('adds by %s and says when it is there', async ([name, method, settlesAt, said]) => {
  const [latest] = (await bank.recorded('/transactions')).transactions
  const transaction = { ...latest, status: settlesAt ? 'pending' : 'completed' } as Transaction
  bank.post('/top-ups', { transaction, settlesAt })
  await open('/add-money')
  await amount.fill('1234.5')
  await page.getByRole('radio', { name: new RegExp(name) }).click()
  await expect.element(amount).toHaveValue('1,234.50')
  await submit.click()
  await expect.element(toast(said)).toBeVisible()
  // What is on its way is not there, and the other way round.
  if (settlesAt) await expect.element(toast(/will arrive by Monday, August 31/)).toBeVisible()
  expect(page.getByText(settlesAt ? /added successfully/ : /on its way/).query()).toBeNull()
  const sent: { amountMinor: number; asset: 'USD'; method: TopUpMethod } = {
    amountMinor: 1_234_50,
    asset: 'USD',
    method,
  }
  expect(changes()).toMatchObject([{ path: '/top-ups', json: sent }])
})

test('a sheet that is opened meanwhile closes, and the form that is done with is nowhere behind', async () => {
  const [latest] = (await bank.recorded('/transactions')).transactions
  bank.post('/top-ups', { transaction: latest as Transaction, settlesAt: null })
  await open('/transactions')
  await router.navigate('/add-money')
  await amount.fill('51')
  await page.getByRole('radio', { name: /Debit Card/ }).click()
  await submit.click()
  await expect.element(toast('$51.00 added successfully!')).toBeVisible()
  await press(page.getByRole('button', { name: 'Pay', exact: true }))
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await expect.poll(address, { timeout: 5_000 }).toBe('/dashboard')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  history.back()
  await expect.poll(address).toBe('/transactions')
})
