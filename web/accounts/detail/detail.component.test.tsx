import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { lineNamed } from '#contract/wording.ts'
import { router } from '#web/app/routes.tsx'
import { address, open, toast } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const value = (label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .element().nextElementSibling?.textContent
const summary = page.getByRole('region', { name: 'Summary' })
const missing = page.getByText('Transaction not found')

/** The latest transaction of the sample customer, a coffee. */
async function coffee(): Promise<Transaction> {
  const [latest] = (await bank.recorded('/transactions')).transactions
  if (!latest) throw new Error('There is no transaction')
  return latest
}

/** A payment to somebody who is no customer. */
async function paymentToFriend(changed: Partial<TransactionDetail> = {}): Promise<TransactionDetail> {
  return {
    ...(await coffee()),
    name: lineNamed('friend@elsewhere.example'),
    amountMinor: -25_00,
    category: 'transfer',
    status: 'pending',
    paymentMethod: { code: 'alder_transfer', params: {} },
    claim: { url: 'https://alder.example/claim?token=abc', expiresAt: '2026-09-04T09:41:00.000Z' },
    settlesAt: null,
    monthInCategory: null,
    ...changed,
  }
}

test('shows every part of a payment, from the list and by its address, and shares it in words', async () => {
  const latest = await coffee()
  Object.defineProperty(navigator, 'share', { value: undefined, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  // The real clipboard is one for all tests.
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open('/transactions')
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  for (const from of ['list', 'address']) {
    if (from === 'address') {
      await router.navigate('/settings')
      await router.navigate(`/transaction-detail?id=${latest.id}`)
    }
    await expect.element(summary).toMatchTextContent('−$5.60')
    expect(address()).toBe(`/transaction-detail?id=${latest.id}`)
    expect(value('Transaction ID')).toMatch(/^TXN[0-9A-Z]{9}$/)
    expect(value('Transaction ID')).toBe(latest.transactionId)
    expect(value('Reference')).toMatch(/^REF[0-9A-Z]{6}$/)
    expect(value('Date & Time')).toBe('Fri, Aug 28, 2026, 8:12 AM')
    expect(value('Category')).toBe('Food & Drink')
    expect(value('Payment Method')).toMatch(/^Debit card •••• \d{4}$/)
    expect(value('Status')).toBe('Completed')
    // All of August's food and drink, which is what Analytics shows too.
    await expect.element(page.getByText(/\$520\.00 in all/)).toBeVisible()
  }
  await expect.element(page.getByText('Smart Tip')).toBeVisible()
  expect(page.getByRole('link', { name: 'Send Again' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.element(toast('Copied to clipboard')).toBeVisible()
  const text = copied.mock.calls[0]?.[0]
  expect(text).toContain('Copper Kettle Coffee: −$5.60')
  expect(text).toContain(latest.transactionId)
})

test('gives no tip about income, and says when money from a bank arrives', async () => {
  await open('/transactions')
  await page
    .getByRole('link', { name: /\+\$3,500\.00|plus \$3,500\.00/ })
    .first()
    .click()
  await expect.element(page.getByText('Income', { exact: true })).toBeVisible()
  expect(value('Category')).toBe('Income')
  expect(page.getByText('Smart Tip').query()).toBeNull()

  const topUp = {
    name: { code: 'top_up.bank' as const, params: {} },
    category: 'top_up' as const,
    amountMinor: 1_234_50,
  }
  const id = crypto.randomUUID()
  const settlesAt = '2026-08-31T09:00:00.000Z'
  bank.get('/transactions/:id', await paymentToFriend({ ...topUp, id, claim: null, settlesAt }))
  await router.navigate(`/transaction-detail?id=${id}`)
  await expect.element(page.getByText(/^It arrives by Monday, August 31\./)).toBeVisible()
})

test('money that waits for somebody has its link, and comes back when it is cancelled', async () => {
  const waiting = await paymentToFriend()
  bank.get('/transactions/:id', waiting)
  bank.post('/transfers/:operationId/cancel', async () => {
    const returned = await paymentToFriend({ status: 'returned', claim: null })
    bank.get('/transactions/:id', returned)
    return { transaction: returned }
  })
  await open(`/transaction-detail?id=${waiting.id}`)
  await expect.element(page.getByText('Waiting to be accepted')).toBeVisible()
  await expect.element(page.getByText(waiting.claim?.url ?? '')).toBeVisible()
  expect(page.getByRole('link', { name: 'Send Again' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Payment' }).click()
  await expect.element(toast('$25.00 is back in your account')).toBeVisible()
  await expect.element(page.getByText('Returned').first()).toBeVisible()
  await expect.element(page.getByText('Waiting to be accepted')).not.toBeInTheDocument()
  expect(changes()).toMatchObject([{ path: `/transfers/${waiting.id}/cancel` }])
  await page.getByRole('link', { name: 'Send Again' }).click()
  await expect.element(page.getByLabelText('Recipient')).toHaveValue('friend@elsewhere.example')
})

test('says so where no transaction was chosen, or it is not there', async () => {
  await open('/transaction-detail')
  // What is no id may be the name of something else in the API.
  for (const search of ['', '?id=none', '?id=', '?id=summary', '?id=..%2Fme', `?id=${crypto.randomUUID()}`]) {
    await router.navigate('/settings')
    await router.navigate(`/transaction-detail${search}`)
    await expect.element(missing).toBeVisible()
  }
  await page.getByRole('button', { name: 'Back to Transactions' }).click()
  await expect.poll(address).toBe('/transactions')
  const sums = await bank.recorded('/transactions/summary')
  bank.get('/transactions/:id', refused('transaction_not_found'))
  bank.get('/transactions/summary', sums)
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  await expect.element(missing).toBeVisible()
})
