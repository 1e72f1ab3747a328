import { expect, it } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { findNewPayments, trackPayments } from '#web/app/live-updates.ts'

const AT = '2026-08-28T09:41:00.000Z'

function transaction(id: string, changes: Partial<Transaction> = {}): Transaction {
  return {
    id,
    transactionId: `TXN${id}`,
    reference: `REF${id}`,
    name: lineNamed('Maya'),
    amountMinor: 4200,
    asset: 'USD',
    category: 'transfer',
    status: 'completed',
    bookedAt: AT,
    paymentMethod: { code: 'alder_transfer', params: {} },
    note: null,
    balanceAfterMinor: 4200,
    ...changes,
  }
}

const seenPayments = trackPayments(null, [transaction('old')])

it('announces money that arrived since', () => {
  expect(findNewPayments(seenPayments, [transaction('new'), transaction('old')]).map(({ id }) => id)).toEqual(['new'])
})

it.each([
  ['spending', { amountMinor: -4200 }],
  ['pending money', { status: 'pending' }],
  ['returned money', { status: 'returned' }],
  ['a transfer between own accounts', { category: 'top_up' }],
  ['a payment by the bank itself', { name: { code: 'rewards.cashback', params: {} } }],
  ['an old transaction that moved up in the list', { bookedAt: '2026-08-20T09:41:00.000Z' }],
] as const)('does not announce %s', (_what, changes) => {
  expect(findNewPayments(seenPayments, [transaction('new', changes)])).toEqual([])
})

it('announces each arrival once', () => {
  expect(findNewPayments(trackPayments(seenPayments, [transaction('new')]), [transaction('new')])).toEqual([])
})
