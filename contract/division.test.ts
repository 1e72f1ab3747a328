import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divide } from '#contract/division.ts'

const total = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const sumOf = ({ ownMinor, othersMinor }: ReturnType<typeof divide>) =>
  othersMinor.reduce((sum, share) => sum + BigInt(share), BigInt(ownMinor))

test('equal shares add up, the others pay the same, and the customer pays at most one cent more per other person', () => {
  fc.assert(
    fc.property(total, fc.integer({ min: 1, max: 50 }), (totalMinor, count) => {
      fc.pre(totalMinor > count)
      const shares = divide(totalMinor, { division: 'equal', people: Array.from({ length: count }, () => ({})) })
      expect(sumOf(shares)).toBe(BigInt(totalMinor))
      expect(new Set(shares.othersMinor).size).toBe(1)
      expect(shares.ownMinor - (shares.othersMinor[0] ?? 0)).toBeLessThanOrEqual(count)
      expect(shares.ownMinor).toBeGreaterThanOrEqual(shares.othersMinor[0] ?? 0)
    }),
  )
})

test('shares by percent add up, and each is less than one cent from its exact value', () => {
  const basisPointArrays = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(total, basisPointArrays, (totalMinor, othersBasisPoints) => {
      fc.pre(totalMinor > 10_000)
      const ownBasisPoints = 10_000 - othersBasisPoints.reduce((sum, basisPoints) => sum + basisPoints, 0)
      const shares = divide(totalMinor, {
        division: 'percents',
        people: othersBasisPoints.map((basisPoints) => ({ basisPoints })),
        ownBasisPoints,
      })
      expect(sumOf(shares)).toBe(BigInt(totalMinor))
      for (const [index, share] of shares.othersMinor.entries()) {
        // The shares are multiplied by 10,000, so that the exact share is an integer.
        const exactShare = BigInt(totalMinor) * BigInt(othersBasisPoints[index] ?? 0)
        const difference = BigInt(share) * 10_000n - exactShare
        expect(difference < 10_000n && difference > -10_000n).toBe(true)
      }
    }),
  )
})

test('each share in the specification’s example is the total divided by the number of people plus one', () => {
  const people = [{}, {}, {}]
  expect(divide(100_00, { division: 'equal', people })).toEqual({ ownMinor: 25_00, othersMinor: [25_00, 25_00, 25_00] })
  expect(divide(100_01, { division: 'equal', people })).toEqual({ ownMinor: 25_01, othersMinor: [25_00, 25_00, 25_00] })
})

test.each([
  ['no other people', 'people_missing', 100, { division: 'equal', people: [] }],
  ['an equal share of less than a cent', 'amount_invalid', 3, { division: 'equal', people: [{}, {}, {}] }],
  [
    'a sum of amounts below the total',
    'shares_differ',
    100,
    { division: 'amounts', people: [{ amountMinor: 50 }], ownMinor: 49 },
  ],
  [
    'a sum of amounts above the total',
    'shares_differ',
    100,
    { division: 'amounts', people: [{ amountMinor: 50 }], ownMinor: 51 },
  ],
  [
    'a sum of percents below 100',
    'shares_differ',
    100,
    { division: 'percents', people: [{ basisPoints: 5_000 }], ownBasisPoints: 4_999 },
  ],
  [
    'a share by percent of less than a cent',
    'amount_invalid',
    100,
    { division: 'percents', people: [{ basisPoints: 1 }], ownBasisPoints: 9_999 },
  ],
] as const)('%s is refused', (_name, code, totalMinor, dividing) => {
  expect(() => divide(totalMinor, dividing)).toThrow(code)
})
