import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'

test('the usual loan costs what the formula says', () => {
  expect(repaymentsOf(LOAN_TERMS.usualMinor, LOAN_TERMS.usualMonths)).toEqual({
    instalmentMinor: 223_64,
    totalMinor: 5_367_27,
    interestMinor: 367_27,
  })
})

test('every loan on the sliders costs what the formula says in floating point, to the cent', () => {
  const { leastMinor, mostMinor, stepMinor, leastMonths, mostMonths, stepMonths, aprBps } = LOAN_TERMS
  const monthly = aprBps / 10_000 / 12
  const steps = (least: number, most: number, step: number) =>
    fc.integer({ min: 0, max: (most - least) / step }).map((count) => least + count * step)
  fc.assert(
    fc.property(
      steps(leastMinor, mostMinor, stepMinor),
      steps(leastMonths, mostMonths, stepMonths),
      (principalMinor, months) => {
        const growth = (1 + monthly) ** months
        const payment = (principalMinor * monthly * growth) / (growth - 1)
        const { instalmentMinor, totalMinor, interestMinor } = repaymentsOf(principalMinor, months)
        expect(Math.abs(instalmentMinor - payment)).toBeLessThanOrEqual(0.500001)
        expect(Math.abs(totalMinor - payment * months)).toBeLessThanOrEqual(0.500001)
        expect(interestMinor).toBe(totalMinor - principalMinor)
      },
    ),
  )
})
