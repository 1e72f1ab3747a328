import { expect, it } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import { lineNamed } from '#contract/wording.ts'
import { newPayments, track } from '#web/app/live.ts'

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

const known = track(null, [transaction('old')])

it('announces money that came in since', () => {
  expect(newPayments(known, [transaction('new'), transaction('old')]).map(({ id }) => id)).toEqual(['new'])
})

it.each([
  ['spending', { amountMinor: -4200 }],
  ['what is on its way', { status: 'pending' }],
  ['what came back', { status: 'returned' }],
  ['money of one’s own', { category: 'top_up' }],
  ['what the bank itself pays', { name: { code: 'rewards.cashback', params: {} } }],
  ['what is old and moved up into the list', { bookedAt: '2026-08-20T09:41:00.000Z' }],
] as const)('keeps quiet about %s', (_what, changes) => {
  expect(newPayments(known, [transaction('new', changes)])).toEqual([])
})

it('announces each arrival once', () => {
  expect(newPayments(track(known, [transaction('new')]), [transaction('new')])).toEqual([])
})
