import { expect, test } from 'vitest'
import type { Dispute } from '#contract/disputes.ts'
import { creditText, outcomeTexts } from '#web/disputes/shared/outcome.ts'

type Money = Partial<Pick<Dispute, 'creditedMinor' | 'upheldMinor' | 'dueMinor'>>

/** Returns a dispute over $30.00. This is the part of a payment that remains after a partial refund by the merchant. */
const dispute = (status: Dispute['status'], money: Money): Dispute => ({
  id: 'd',
  transactionId: 't',
  merchant: 'Shop',
  paidAt: '2026-08-28T09:41:00.000Z',
  amountMinor: 30_00,
  asset: 'USD',
  reason: 'not_me',
  description: null,
  creditedMinor: 0,
  upheldMinor: 0,
  dueMinor: 0,
  status,
  createdAt: '2026-08-28T09:41:00.000Z',
  decidedAt: null,
  finalAt: null,
  answer: null,
  ...money,
})

test('the displayed credit is the credited amount', () => {
  expect(creditText(dispute('open', { creditedMinor: 30_00 }))).toBe(
    "We've credited $30.00 to your account until it's decided.",
  )
  expect(creditText(dispute('open', {}))).toBeNull()
})

test.each<[string, Dispute['status'], Money, string[]]>([
  ['credited', 'open', { creditedMinor: 30_00 }, ["We've credited $30.00 to your account until it's decided."]],
  ['not credited', 'open', {}, ["You'll get $30.00 back if it's decided in your favor."]],
  ['the whole amount', 'upheld', { creditedMinor: 30_00, upheldMinor: 30_00 }, ['$30.00 is yours to keep.']],
  ['not credited before', 'upheld', { upheldMinor: 30_00 }, ['You got $30.00 back.']],
  [
    'the amount that the shop has kept',
    'upheld',
    { creditedMinor: 30_00, upheldMinor: 5_00 },
    ['$5.00 is yours to keep.', 'The merchant has refunded the rest.', "We've reversed $25.00 of our credit."],
  ],
  [
    'the amount that the shop has kept, and the rest is spent',
    'upheld',
    { creditedMinor: 30_00, upheldMinor: 5_00, dueMinor: 25_00 },
    [
      '$5.00 is yours to keep.',
      'The merchant has refunded the rest.',
      "We'll reverse $25.00 of our credit once there's enough money in your account.",
    ],
  ],
  [
    'nothing, because the shop has paid',
    'upheld',
    { creditedMinor: 30_00 },
    ['The merchant has refunded you.', "We've reversed $30.00 of our credit."],
  ],
  ['credited', 'rejected', { creditedMinor: 30_00 }, ["We've reversed $30.00 of our credit."]],
  [
    'the credit is spent',
    'rejected',
    { creditedMinor: 30_00, dueMinor: 30_00 },
    ["We'll reverse $30.00 of our credit once there's enough money in your account."],
  ],
  ['not credited', 'rejected', {}, ["You won't get $30.00 back."]],
])('%s, %s', (_, status, money, texts) => expect(outcomeTexts(dispute(status, money))).toEqual(texts))
