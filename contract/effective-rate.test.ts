import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectiveRateBps } from '#contract/effective-rate.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import { annualYieldBps } from '#contract/savings-yield.ts'

test('a loan at 6.9% has an effective rate of 7.12%, and savings at 4% have a yield of 4.07%', () => {
  expect(effectiveRateBps(LOAN_TERMS.aprBps)).toBe(7_12)
  expect(annualYieldBps(4_00)).toBe(4_07)
})

test('a rate of zero yields zero, and a higher rate never yields less', () => {
  expect([effectiveRateBps(0), annualYieldBps(0)]).toEqual([0, 0])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50_00 }), (bps) => {
      expect(effectiveRateBps(bps + 1)).toBeGreaterThanOrEqual(effectiveRateBps(bps))
      expect(annualYieldBps(bps + 1)).toBeGreaterThanOrEqual(annualYieldBps(bps))
      expect(Math.abs(effectiveRateBps(bps) - ((1 + bps / 120_000) ** 12 - 1) * 10_000)).toBeLessThanOrEqual(0.500001)
      expect(effectiveRateBps(bps)).toBeGreaterThanOrEqual(bps)
    }),
  )
})

/**
 * Returns the effective rate at which the present value of the repayments equals the principal. All months have the same
 * length. The rate is found by bisection.
 */
function solvedRate(principalMinor: number, months: number): number {
  const { instalmentMinor, lastInstalmentMinor } = repaymentsOf(principalMinor, months)
  const presentValue = (rate: number) =>
    Array.from({ length: months }, (_, index) => index + 1).reduce(
      (sum, month) => sum + (month === months ? lastInstalmentMinor : instalmentMinor) / (1 + rate) ** (month / 12),
      0,
    )
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (presentValue(middle) > principalMinor) low = middle
    else high = middle
  }
  return low
}

test('every loan that can be chosen has the effective rate of 7.12%, although its installments are rounded to cents', () => {
  for (let months: number = LOAN_TERMS.leastMonths; months <= LOAN_TERMS.mostMonths; months += LOAN_TERMS.stepMonths) {
    for (let amount: number = LOAN_TERMS.leastMinor; amount <= LOAN_TERMS.mostMinor; amount += LOAN_TERMS.stepMinor)
      expect(Math.abs(solvedRate(amount, months) * 100 - 7.12)).toBeLessThan(0.01)
  }
})
