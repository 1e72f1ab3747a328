import { expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import { findArrivals, addSeen } from '#web/accounts/shared/arrivals.ts'

const booked = (id: string, bookedAt: string) => ({ id, bookedAt }) as Transaction
const OLD = booked('old', '2026-08-01T10:00:00.000Z')
const SEEN_PAYMENT = booked('known', '2026-08-28T09:00:00.000Z')
const NEW = booked('new', '2026-08-28T09:41:00.000Z')

test('a new transaction is an arrival, once, and a longer list has no arrivals', () => {
  const seen = addSeen([SEEN_PAYMENT], undefined)
  expect(findArrivals([NEW, SEEN_PAYMENT, OLD], seen)).toEqual(['new'])
  expect(findArrivals([NEW, SEEN_PAYMENT, OLD], addSeen([NEW, SEEN_PAYMENT], seen))).toEqual([])
})
