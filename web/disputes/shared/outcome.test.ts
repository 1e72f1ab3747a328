import { expect, test } from 'vitest'
import type { Dispute } from '#contract/disputes.ts'
import { creditText, outcomeTexts } from '#web/disputes/shared/outcome.ts'

type Money = Partial<Pick<Dispute, 'creditedMinor' | 'upheldMinor' | 'dueMinor'>>

/** A payment of which the shop had given back some, so that 30.00 was left to dispute. */
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

test('the credit that is named is what was credited', () => {
  expect(creditText(dispute('open', { creditedMinor: 30_00 }))).toBe(
    "We've credited you with $30.00 until it's decided.",
  )
  expect(creditText(dispute('open', {}))).toBeNull()
})

test.each<[string, Dispute['status'], Money, string[]]>([
  ['credited', 'open', { creditedMinor: 30_00 }, ["We've credited you with $30.00 until it's decided."]],
  ['not credited', 'open', {}, ["You'll get $30.00 back if it's decided for you."]],
  ['all of it', 'upheld', { creditedMinor: 30_00, upheldMinor: 30_00 }, ['$30.00 is yours to keep.']],
  ['not credited before', 'upheld', { upheldMinor: 30_00 }, ["You've got $30.00 back."]],
  [
    'what the shop has kept',
    'upheld',
    { creditedMinor: 30_00, upheldMinor: 5_00 },
    ['$5.00 is yours to keep.', 'The shop has paid back the rest itself.', "We've taken back $25.00 of our credit."],
  ],
  [
    'what the shop has kept, and the rest is spent',
    'upheld',
    { creditedMinor: 30_00, upheldMinor: 5_00, dueMinor: 25_00 },
    [
      '$5.00 is yours to keep.',
      'The shop has paid back the rest itself.',
      "We'll take back $25.00 of our credit once there's enough money in your account.",
    ],
  ],
  [
    'nothing, for the shop has paid',
    'upheld',
    { creditedMinor: 30_00 },
    ['The shop has paid you back itself.', "We've taken back $30.00 of our credit."],
  ],
  ['credited', 'rejected', { creditedMinor: 30_00 }, ["We've taken back $30.00 of our credit."]],
  [
    'the credit is spent',
    'rejected',
    { creditedMinor: 30_00, dueMinor: 30_00 },
    ["We'll take back $30.00 of our credit once there's enough money in your account."],
  ],
  ['not credited', 'rejected', {}, ["You don't get $30.00 back."]],
])('%s, %s', (_, status, money, texts) => expect(outcomeTexts(dispute(status, money))).toEqual(texts))
