import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOAN_TERMS, lateFeeOf, repaymentsOf } from '#contract/loan-terms.ts'

test('the usual loan costs the amount of the formula', () => {
  expect(repaymentsOf(LOAN_TERMS.usualMinor, LOAN_TERMS.usualMonths)).toEqual({
    instalmentMinor: 223_64,
    lastInstalmentMinor: 223_55,
    totalMinor: 5_367_27,
    interestMinor: 367_27,
  })
})

test('every loan on the sliders costs the amount of the floating-point formula, to the cent', () => {
  const { leastMinor, mostMinor, stepMinor, leastMonths, mostMonths, stepMonths, aprBps } = LOAN_TERMS
  const monthly = aprBps / 10_000 / 12
  const steps = (minimum: number, maximum: number, step: number) =>
    fc.integer({ min: 0, max: (maximum - minimum) / step }).map((count) => minimum + count * step)
  fc.assert(
    fc.property(
      steps(leastMinor, mostMinor, stepMinor),
      steps(leastMonths, mostMonths, stepMonths),
      (principalMinor, months) => {
        const growth = (1 + monthly) ** months
        const payment = (principalMinor * monthly * growth) / (growth - 1)
        const { instalmentMinor, lastInstalmentMinor, totalMinor, interestMinor } = repaymentsOf(principalMinor, months)
        expect((months - 1) * instalmentMinor + lastInstalmentMinor).toBe(totalMinor)
        expect(Math.abs(lastInstalmentMinor - instalmentMinor)).toBeLessThanOrEqual(months / 2 + 1)
        expect(Math.abs(instalmentMinor - payment)).toBeLessThanOrEqual(0.500001)
        expect(Math.abs(totalMinor - payment * months)).toBeLessThanOrEqual(0.500001)
        expect(interestMinor).toBe(totalMinor - principalMinor)
      },
    ),
  )
})

test('a late fee is at most 5% of the missing amount and at most $15', () => {
  expect([0, 19, 20, 19_75, 299_99, 300_00, 4_508_00].map(lateFeeOf)).toEqual([0, 0, 1, 98, 14_99, 15_00, 15_00])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000_00 }), (missingMinor) => {
      const feeMinor = lateFeeOf(missingMinor)
      expect(feeMinor * 20).toBeLessThanOrEqual(missingMinor)
      expect(feeMinor).toBeLessThanOrEqual(15_00)
      expect(feeMinor === 15_00 || (feeMinor + 1) * 20 > missingMinor).toBe(true)
    }),
  )
})
