import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Dispute, DisputeToReview } from '#contract/disputes.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent, stepUpAnswer } from '#web/test/bank.ts'

const report = page.getByRole('button', { name: 'Report a Problem' })
const sheet = page.getByRole('dialog', { name: 'Report a problem' })

const DISPUTE: Dispute = {
  id: 'dispute',
  transactionId: 'payment',
  merchant: 'Copper Kettle Coffee',
  paidAt: '2026-08-28T08:12:00.000Z',
  amountMinor: 5_60,
  asset: 'USD',
  reason: 'not_me',
  description: null,
  creditedMinor: 5_60,
  upheldMinor: 0,
  dueMinor: 0,
  finalAt: null,
  status: 'open',
  createdAt: '2026-08-28T09:41:00.000Z',
  decidedAt: null,
  answer: null,
}

/** Mocks the bank's dispute about the payment. */
const mockDispute = (dispute: Dispute | null) =>
  bank.get('/transactions/:id/dispute', { dispute, mayDispute: dispute === null || dispute.status === 'withdrawn' })

/** Opens the latest card payment of the sample customer. Returns its id. */
async function openPayment(): Promise<string> {
  const [payment] = (await bank.recorded('/transactions')).transactions
  const id = payment?.id ?? ''
  await open(`/transaction-detail?id=${id}`)
  return id
}

test('a problem is reported with a reason, and the decision is shown live', async () => {
  bank.post('/disputes', ({ json }) => {
    const dispute = { ...DISPUTE, ...json, description: json.description ?? null }
    mockDispute(dispute)
    return { dispute }
  })
  const transactionId = await openPayment()
  await report.click()
  await sheet.getByRole('button', { name: 'Report', exact: true }).click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await expect.element(sheet.getByText("Choose what's wrong")).toBeVisible()
  expect(changeRequests()).toEqual([])
  await sheet.getByLabelText("I didn't make this payment").click()
  await sheet.getByLabelText('What happened? (optional)').fill(' I was at home. ')
  await pressByKey(sheet.getByRole('button', { name: 'Report', exact: true }))
  await expect.element(findToast("Thank you. We're looking into it.")).toBeVisible()
  await expect.element(page.getByRole('heading', { name: "We're looking into this payment" })).toBeVisible()
  await expect.element(report).not.toBeInTheDocument()
  expect(changeRequests()).toMatchObject([
    { path: '/disputes', json: { transactionId, reason: 'not_me', description: 'I was at home.' } },
  ])
  mockDispute({ ...DISPUTE, status: 'rejected', answer: 'The shop has your signature.' })
  emitLiveEvent({ type: 'notification' })
  await expect.element(page.getByRole('heading', { name: 'Dispute declined' })).toBeVisible()
  await expect.element(page.getByText('The shop has your signature.')).toBeVisible()
  await expect.element(page.getByText("We've reversed $5.60 of our credit.")).toBeVisible()
})

test('a dispute is withdrawn, and the payment can be reported again', async () => {
  mockDispute(DISPUTE)
  bank.post('/disputes/:id/withdraw', () => {
    const withdrawn = { ...DISPUTE, status: 'withdrawn' as const }
    mockDispute(withdrawn)
    return { dispute: withdrawn }
  })
  await openPayment()
  await page.getByRole('button', { name: 'Withdraw Dispute' }).click()
  await expect.element(findToast('Dispute withdrawn')).toBeVisible()
  await expect.element(report).toBeVisible()
  expect(changeRequests()).toMatchObject([{ path: '/disputes/dispute/withdraw' }])
})

test('the desk is visible to reviewers only', async () => {
  await open('/review/disputes')
  await expect.element(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('a reviewer declines with a reason and a proof, and cannot decide on their own disputes', async () => {
  const waitingDispute: DisputeToReview = {
    ...DISPUTE,
    description: 'I was at home.',
    customerName: 'Tom Twice',
    customerEmail: 'tom@example.com',
    refundedMinor: 0,
    own: false,
  }
  const ownDispute = { ...waitingDispute, id: 'own', merchant: 'Streamly', own: true }
  bank.get('/review/disputes', { disputes: [waitingDispute, ownDispute] })
  bank.post('/review/disputes/:id/decisions', ({ headers }) => {
    if (headers.get('step-up') !== 'token') return stepUpAnswer('token')
    bank.get('/review/disputes', { disputes: [ownDispute] })
    return { ...waitingDispute, status: 'rejected' as const, answer: 'The shop has your signature.' }
  })
  bank.get('/step-ups/:token', { proofs: ['code'], passkey: null })
  bank.post('/step-ups/:token', {})
  await open('/review/disputes')
  const row = page.getByRole('listitem').filter({ hasText: 'Copper Kettle Coffee' })
  await expect.element(row).toMatchTextContent(/I didn't make this payment.*I was at home\./)
  const decline = row.getByRole('button', { name: 'Decline' })
  expect(page.getByRole('button', { name: 'Decline' }).elements()).toHaveLength(1)
  await decline.click()
  await expect.element(row.getByText('Tell the customer why')).toBeVisible()
  expect(changeRequests()).toEqual([])
  await row.getByLabelText('Answer to the Customer').fill('The shop has your signature.')
  await decline.click()
  await page.getByRole('textbox', { name: /Code/ }).fill('123456')
  await expect.element(findToast('Declined. Tom Twice can read why')).toBeVisible()
  await expect.element(row).not.toBeInTheDocument()
  expect(changeRequests().at(-1)).toMatchObject({
    path: '/review/disputes/dispute/decisions',
    json: { decision: 'reject', answer: 'The shop has your signature.' },
  })
})
