import { expect, it } from 'vitest'
import type { Goal } from '#contract/savings.ts'
import { expectedMinor } from '#web/savings/on-track.ts'

const GOAL: Goal = {
  id: 'goal',
  name: 'Vacation Fund',
  icon: 'plane',
  asset: 'USD',
  savedMinor: 100_00,
  targetMinor: 1_000_00,
  targetOn: '2026-11-30',
  monthlyNeedMinor: 300_00,
  lockedUntil: null,
  unlocksAt: null,
  roundUpTimes: null,
  monthly: { amountMinor: 50_00, dayOfMonth: 31, nextOn: '2026-08-31' },
  interest: { paidThisYearMinor: 0, accruedMinor: 0 },
}

it('counts each date of the monthly saving up to the target date', () => {
  // There are four savings, from August to November. The last is on November 30.
  expect(expectedMinor(GOAL)).toBe(300_00)
  expect(expectedMinor({ ...GOAL, targetOn: '2026-11-29' })).toBe(250_00)
  expect(expectedMinor({ ...GOAL, targetOn: '2026-08-30' })).toBe(100_00)
  expect(expectedMinor({ ...GOAL, targetOn: '2027-01-31' })).toBe(400_00)
})
it('expects no more than the balance without automatic saving', () =>
  expect(expectedMinor({ ...GOAL, monthly: null })).toBe(100_00))
it('gives no estimate for a goal without a date, or a reached one', () => {
  expect(expectedMinor({ ...GOAL, targetOn: null, monthlyNeedMinor: null })).toBeNull()
  expect(expectedMinor({ ...GOAL, monthlyNeedMinor: null })).toBeNull()
})
