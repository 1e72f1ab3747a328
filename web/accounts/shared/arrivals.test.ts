import { expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import { findArrivals, addSeen } from '#web/accounts/shared/arrivals.ts'

const buildTransaction = (id: string, bookedAt: string) => ({ id, bookedAt }) as Transaction
const OLD_PAYMENT = buildTransaction('old', '2026-08-01T10:00:00.000Z')
const SEEN_PAYMENT = buildTransaction('known', '2026-08-28T09:00:00.000Z')
const NEW_PAYMENT = buildTransaction('new', '2026-08-28T09:41:00.000Z')

test('a new transaction is an arrival, once, and a longer list has no arrivals', () => {
  const seenTransactions = addSeen([SEEN_PAYMENT], undefined)
  expect(findArrivals([NEW_PAYMENT, SEEN_PAYMENT, OLD_PAYMENT], seenTransactions)).toEqual(['new'])
  expect(
    findArrivals([NEW_PAYMENT, SEEN_PAYMENT, OLD_PAYMENT], addSeen([NEW_PAYMENT, SEEN_PAYMENT], seenTransactions)),
  ).toEqual([])
})
