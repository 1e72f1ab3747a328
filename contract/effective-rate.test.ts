import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectiveRateBps } from '#contract/effective-rate.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import { annualYieldBps } from '#contract/savings-yield.ts'

test('6.9% paid monthly is 7.12% effective, and 4% accrued daily and paid monthly yields 4.07%', () => {
  expect(effectiveRateBps(LOAN_TERMS.aprBps)).toBe(7_12)
  expect(annualYieldBps(4_00)).toBe(4_07)
})

test('nothing yields nothing, and a higher rate never less', () => {
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

/** The effective rate at which what is paid back is worth what was lent: found by bisection, in 12 equal months. */
function solvedRate(principalMinor: number, months: number): number {
  const { instalmentMinor, lastInstalmentMinor } = repaymentsOf(principalMinor, months)
  const worth = (rate: number) =>
    Array.from({ length: months }, (_, index) => index + 1).reduce(
      (sum, month) => sum + (month === months ? lastInstalmentMinor : instalmentMinor) / (1 + rate) ** (month / 12),
      0,
    )
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (worth(middle) > principalMinor) low = middle
    else high = middle
  }
  return low
}

test('each loan of the sliders costs the effective rate, cents that are rounded included', () => {
  for (let months: number = LOAN_TERMS.leastMonths; months <= LOAN_TERMS.mostMonths; months += LOAN_TERMS.stepMonths) {
    for (let minor: number = LOAN_TERMS.leastMinor; minor <= LOAN_TERMS.mostMinor; minor += LOAN_TERMS.stepMinor)
      expect(Math.abs(solvedRate(minor, months) * 100 - 7.12)).toBeLessThan(0.01)
  }
})
