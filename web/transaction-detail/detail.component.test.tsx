import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const value = (label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .element().nextElementSibling?.textContent
const summary = page.getByRole('region', { name: 'Summary' })
const notFoundText = page.getByText('Transaction not found')

/** Returns the latest transaction of the sample customer, a coffee. */
async function coffee(): Promise<Transaction> {
  const [latest] = (await bank.recorded('/transactions')).transactions
  if (!latest) throw new Error('There is no transaction')
  return latest
}

/** The optional fields of a transaction, all empty. */
const EMPTY_FIELDS = {
  claim: null,
  settlesAt: null,
  heldUntil: null,
  countsAs: null,
  privateNote: null,
  photo: null,
  monthInCategory: null,
} as const

/** Returns a payment to a person who is not a customer. */
async function paymentToFriend(changes: Partial<TransactionDetail> = {}): Promise<TransactionDetail> {
  return {
    ...(await coffee()),
    name: lineNamed('friend@elsewhere.example'),
    amountMinor: -25_00,
    category: 'transfer',
    status: 'pending',
    paymentMethod: { code: 'alder_transfer', params: {} },
    ...EMPTY_FIELDS,
    claim: { url: 'https://alder.example/claim?token=abc', expiresAt: '2026-09-04T09:41:00.000Z' },
    ...changes,
  }
}

test('shows every part of a payment, from the list and by its address, and shares it as text', async () => {
  const latestTransaction = await coffee()
  Object.defineProperty(navigator, 'share', { value: undefined, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  // The clipboard of the browser is shared by all tests, so each test replaces it.
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open('/transactions')
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  for (const from of ['list', 'address']) {
    if (from === 'address') {
      await router.navigate('/settings')
      await router.navigate(`/transaction-detail?id=${latestTransaction.id}`)
    }
    await expect.element(summary).toMatchTextContent('−$5.60')
    expect(readAddress()).toBe(`/transaction-detail?id=${latestTransaction.id}`)
    expect(value('Transaction ID')).toMatch(/^TXN[0-9A-Z]{9}$/)
    expect(value('Transaction ID')).toBe(latestTransaction.transactionId)
    expect(value('Reference')).toMatch(/^REF[0-9A-Z]{6}$/)
    expect(value('Date & Time')).toBe('Fri, Aug 28, 2026, 8:12 AM')
    expect(value('Category')).toBe('Food & Drink')
    expect(value('Payment Method')).toMatch(/^Debit card •••• \d{4}$/)
    expect(value('Status')).toBe('Completed')
    // The total of food and drink in August, equal to that in Analytics.
    await expect.element(page.getByText(/That's \$520\.00 so far/)).toBeVisible()
  }
  await expect.element(page.getByText('Smart Tip')).toBeVisible()
  expect(page.getByRole('link', { name: 'Send Again' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.element(findToast('Copied to clipboard')).toBeVisible()
  const text = writeText.mock.calls[0]?.[0]
  expect(text).toContain('Copper Kettle Coffee: −$5.60')
  expect(text).toContain(latestTransaction.transactionId)
})

test('gives no tip about income, and shows when money from a bank arrives', async () => {
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

test('waiting money has its link, and is returned when it is canceled', async () => {
  const pendingPayment = await paymentToFriend()
  bank.get('/transactions/:id', pendingPayment)
  bank.post('/transfers/:operationId/cancel', async () => {
    const returned = await paymentToFriend({ status: 'returned', claim: null })
    bank.get('/transactions/:id', returned)
    return { transaction: returned }
  })
  await open(`/transaction-detail?id=${pendingPayment.id}`)
  await expect.element(page.getByText('Waiting to be accepted')).toBeVisible()
  await expect.element(page.getByText(pendingPayment.claim?.url ?? '')).toBeVisible()
  expect(page.getByRole('link', { name: 'Send Again' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Payment' }).click()
  await expect.element(findToast('$25.00 is back in your account')).toBeVisible()
  await expect.element(page.getByText('Returned').first()).toBeVisible()
  await expect.element(page.getByText('Waiting to be accepted')).not.toBeInTheDocument()
  expect(changeRequests()).toMatchObject([{ path: `/transfers/${pendingPayment.id}/cancel` }])
  await page.getByRole('link', { name: 'Send Again' }).click()
  await expect.element(page.getByLabelText('Recipient')).toHaveValue('friend@elsewhere.example')
})

const actions = page.getByRole('group', { name: 'Actions' })
const listActions = () =>
  [...actions.element().querySelectorAll('a, button')].map((action) => action.textContent?.trim())

test('a card payment offers fitting actions, the likeliest first, and its card can be frozen', async () => {
  const latestTransaction = await coffee()
  const list = await bank.recorded('/cards')
  const [main, ...otherCards] = list.cards
  if (!main) throw new Error('There is no main card')
  bank.post('/cards/:id/freeze', () => {
    bank.get('/cards', { ...list, cards: [{ ...main, status: 'frozen' }, ...otherCards] })
    return {}
  })
  await open(`/transaction-detail?id=${latestTransaction.id}`)
  await expect.poll(listActions).toEqual(['Split', 'Freeze Card', 'Report a Problem', 'Download Receipt', 'Share'])
  await actions.getByRole('button', { name: 'Freeze Card' }).click()
  await expect.element(findToast('Main Card frozen')).toBeVisible()
  await expect.element(actions.getByRole('button', { name: 'Unfreeze Card' })).toBeVisible()
  expect(changeRequests()).toMatchObject([{ path: `/cards/${main.id}/freeze` }])
})

test('shows the end of a card payment’s hold, and offers no freezing after its card is removed', async () => {
  const heldPayment = {
    ...(await coffee()),
    ...EMPTY_FIELDS,
    status: 'pending' as const,
    heldUntil: '2026-09-04T09:41:00.000Z',
  }
  bank.get('/transactions/:id', heldPayment)
  bank.get('/cards', { ...(await bank.recorded('/cards')), cards: [] })
  await open(`/transaction-detail?id=${heldPayment.id}`)
  await expect
    .element(page.getByText(/^Copper Kettle Coffee can collect the money until Friday, September 4\./))
    .toBeVisible()
  await expect.poll(() => recordedRequests.some(({ path }) => path === '/cards')).toBe(true)
  expect(listActions()).toEqual(['Download Receipt', 'Share'])
})

test('a private note is written, changed and removed in place', async () => {
  let storedTransaction: TransactionDetail = { ...(await coffee()), ...EMPTY_FIELDS }
  bank.get('/transactions/:id', () => storedTransaction)
  bank.put('/transactions/:id/note', ({ json }) => {
    storedTransaction = { ...storedTransaction, privateNote: json.note || null }
    return {}
  })
  await open(`/transaction-detail?id=${storedTransaction.id}`)
  await page.getByRole('button', { name: /^Add a Note/ }).click()
  const note = page.getByRole('textbox', { name: 'Your Note' })
  await expect.element(note).toHaveFocus()
  await note.fill('  Reclaim this ')
  await page.getByRole('button', { name: 'Save Note' }).click()
  await expect.element(findToast('Note saved')).toBeVisible()
  await expect.element(page.getByText('Reclaim this')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Note' }).click()
  await expect.element(note).toHaveValue('Reclaim this')
  await note.fill('x'.repeat(290))
  await expect.element(page.getByText('10 characters left')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('Reclaim this')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Note' }).click()
  await note.fill('')
  await page.getByRole('button', { name: 'Save Note' }).click()
  await expect.element(page.getByRole('button', { name: /^Add a Note/ })).toBeVisible()
  expect(changeRequests().map(({ json }) => json)).toEqual([{ note: 'Reclaim this' }, { note: '' }])
})

/** An image of one pixel. */
const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (letter) => letter.codePointAt(0) ?? 0,
)

test('a receipt is added, viewed and removed, and a file that is not a picture is not sent', async () => {
  let storedTransaction: TransactionDetail = { ...(await coffee()), ...EMPTY_FIELDS }
  bank.get('/transactions/:id', () => storedTransaction)
  bank.get('/transactions/:id/photo', () => new Response(PIXEL, { headers: { 'content-type': 'image/jpeg' } }) as never)
  bank.put('/transactions/:id/photo', () => {
    storedTransaction = {
      ...storedTransaction,
      photo: { id: crypto.randomUUID(), addedAt: '2026-08-28T09:41:00.000Z' },
    }
    return {}
  })
  bank.delete('/transactions/:id/photo', () => {
    storedTransaction = { ...storedTransaction, photo: null }
    return {}
  })
  await open(`/transaction-detail?id=${storedTransaction.id}`)
  await expect.element(page.getByRole('button', { name: /^Add a Receipt/ })).toBeVisible()
  const input = page.getByLabelText('A photo or PDF of the receipt')
  await userEvent.upload(input, new File(['hello'], 'receipt.jpg', { type: 'image/jpeg' }))
  await expect.element(findToast('Please choose a JPEG, PNG or PDF file')).toBeVisible()
  expect(changeRequests()).toEqual([])
  await userEvent.upload(input, new File([PIXEL], 'receipt.png', { type: 'image/png' }))
  await expect.element(findToast('Receipt saved')).toBeVisible()
  await page.getByRole('button', { name: /^Receipt/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Receipt' })
  await expect.element(sheet.getByRole('img', { name: 'Receipt' })).toBeVisible()
  await expect.element(sheet.getByRole('button', { name: 'Replace' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Remove' }).click()
  await expect.element(findToast('Receipt removed')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Add a Receipt/ })).toBeVisible()
  expect(changeRequests().map(({ method }) => method)).toEqual(['PUT', 'DELETE'])
})

test('spending gets another category, and a payment of a series shows this', async () => {
  const detail: TransactionDetail = { ...(await coffee()), ...EMPTY_FIELDS, countsAs: 'food' }
  bank.get('/transactions/:id', detail)
  bank.put('/analytics/payments/:id/category', () => {
    bank.get('/transactions/:id', { ...detail, countsAs: 'bills' })
    return {}
  })
  const series = {
    payee: 'COPPER KETTLE COFFEE 4711',
    category: 'food' as const,
    amountMinor: 5_60,
    interval: 'weekly' as const,
    lastOn: '2026-08-28',
    nextOn: '2026-09-04',
    previousAmountMinor: null,
    varies: false,
  }
  bank.get('/analytics/recurring', { asset: 'USD', payments: [series] })
  await open(`/transaction-detail?id=${detail.id}`)
  await page.getByRole('button', { name: 'Change Category of Copper Kettle Coffee' }).click()
  const sheet = page.getByRole('dialog', { name: 'Change category' })
  await sheet.getByRole('radio', { name: 'Bills' }).click()
  await sheet.getByRole('button', { name: 'This Payment Only' }).click()
  await expect.element(findToast('Category changed')).toBeVisible()
  await expect.poll(() => value('Category')).toBe('Bills')
  expect(changeRequests()).toMatchObject([{ json: { category: 'bills', scope: 'once' } }])
  await page.getByRole('link', { name: 'Weekly, next on Sep 4' }).click()
  await expect.poll(readAddress).toBe('/analytics')
  await expect.element(page.getByRole('heading', { name: 'Recurring Payments' })).toBeInViewport()
})

test('shows a message if no transaction is chosen, or it does not exist', async () => {
  await open('/transaction-detail')
  // An invalid id could be the name of another resource in the API.
  for (const search of ['', '?id=none', '?id=', '?id=summary', '?id=..%2Fme', `?id=${crypto.randomUUID()}`]) {
    await router.navigate('/settings')
    await router.navigate(`/transaction-detail${search}`)
    await expect.element(notFoundText).toBeVisible()
  }
  await page.getByRole('button', { name: 'Back to Transactions' }).click()
  await expect.poll(readAddress).toBe('/transactions')
  const sums = await bank.recorded('/transactions/summary')
  bank.get('/transactions/:id', refusalAnswer('transaction_not_found'))
  bank.get('/transactions/summary', sums)
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  await expect.element(notFoundText).toBeVisible()
})
