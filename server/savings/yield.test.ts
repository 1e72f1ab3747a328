import { expect, test } from 'vitest'
import { annualYieldBps } from '#contract/savings-yield.ts'
import { policyFor } from '#server/bank/policy.ts'
import { accrueSavingsInterest } from '#server/savings/interest.ts'

const PRINCIPAL_MINOR = 10_000_000_00

/**
 * Returns the earnings of a goal in 365 days from a day on, in cents: the monthly payments, and the interest accrued since the
 * last.
 */
function earnedIn365Days(start: string, rateBps: number): number {
  const upTo = new Date(Date.parse(start) + 364 * 86_400_000).toISOString().slice(0, 10)
  const before = new Date(Date.parse(start) - 86_400_000)
  const from = { accruedOn: before.toISOString().slice(0, 10), millionths: 0, countedVersion: 0 }
  const balances = [{ version: 1, balanceMinor: PRINCIPAL_MINOR, bookedAt: before }]
  const { accrual, due } = accrueSavingsInterest(from, balances, { rateBps, upTo })
  expect(accrual.accruedOn).toBe(upTo)
  return due.reduce((sum, { amountMinor }) => sum + amountMinor, 0) + accrual.millionths / 1_000_000
}

test('a balance that stays for a year earns the stated yield, for any first month', () => {
  const bank = policyFor({ mode: 'live' }).savingsRateBps
  for (const rateBps of [bank, 1, 50, 2_25, 10_00]) {
    for (let month = 0; month < 24; month += 1) {
      const start = new Date(Date.UTC(2027, month, 1)).toISOString().slice(0, 10)
      const earned = (earnedIn365Days(start, rateBps) / PRINCIPAL_MINOR) * 10_000
      // February of a leap year moves one day from one month to another. The effect is below a hundredth of a basis point.
      expect(Math.abs(earned - annualYieldBps(rateBps))).toBeLessThan(0.51)
    }
  }
})
