import { expect, test } from 'vitest'
import { annualYieldBps } from '#contract/savings-yield.ts'
import { policyFor } from '#server/bank/policy.ts'
import { accrue } from '#server/savings/interest.ts'

const PRINCIPAL_MINOR = 10_000_000_00

/** What a goal earns in 365 days from a day on, cents: what is paid on the firsts, and what has accrued since. */
function earnedIn365Days(start: string, rateBps: number): number {
  const upTo = new Date(Date.parse(start) + 364 * 86_400_000).toISOString().slice(0, 10)
  const before = new Date(Date.parse(start) - 86_400_000)
  const from = { accruedOn: before.toISOString().slice(0, 10), millionths: 0, countedVersion: 0 }
  const balances = [{ version: 1, balanceMinor: PRINCIPAL_MINOR, bookedAt: before }]
  const { accrual, due } = accrue(from, balances, { rateBps, upTo })
  expect(accrual.accruedOn).toBe(upTo)
  return due.reduce((sum, { amountMinor }) => sum + amountMinor, 0) + accrual.millionths / 1_000_000
}

test('what is left alone for a year earns the yield that is stated, whichever month is the first', () => {
  const bank = policyFor({ mode: 'live' }).savingsRateBps
  for (const rateBps of [bank, 1, 50, 2_25, 10_00]) {
    for (let month = 0; month < 24; month += 1) {
      const start = new Date(Date.UTC(2027, month, 1)).toISOString().slice(0, 10)
      const earned = (earnedIn365Days(start, rateBps) / PRINCIPAL_MINOR) * 10_000
      // A leap year's February moves a day from one month to another: less than a hundredth of a hundredth.
      expect(Math.abs(earned - annualYieldBps(rateBps))).toBeLessThan(0.51)
    }
  }
})
