import { expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import { arrivalsAmong, seenWith } from '#web/accounts/shared/arrivals.ts'

const booked = (id: string, bookedAt: string) => ({ id, bookedAt }) as Transaction
const OLD = booked('old', '2026-08-01T10:00:00.000Z')
const KNOWN = booked('known', '2026-08-28T09:00:00.000Z')
const NEW = booked('new', '2026-08-28T09:41:00.000Z')

test('what came since is an arrival, once; what a longer list brings is none', () => {
  const seen = seenWith([KNOWN], undefined)
  expect(arrivalsAmong([NEW, KNOWN, OLD], seen)).toEqual(['new'])
  expect(arrivalsAmong([NEW, KNOWN, OLD], seenWith([NEW, KNOWN], seen))).toEqual([])
})
