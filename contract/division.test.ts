import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divide } from '#contract/division.ts'

const total = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const sumOf = ({ ownMinor, othersMinor }: ReturnType<typeof divide>) =>
  othersMinor.reduce((sum, share) => sum + BigInt(share), BigInt(ownMinor))

test('equal shares add up, the others pay the same, and nobody pays more than one cent a person over it', () => {
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

test('shares by percent add up, and none is a whole cent away from what it is exactly', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(total, parts, (totalMinor, people) => {
      fc.pre(totalMinor > 10_000)
      const ownBasisPoints = 10_000 - people.reduce((sum, part) => sum + part, 0)
      const shares = divide(totalMinor, {
        division: 'percents',
        people: people.map((basisPoints) => ({ basisPoints })),
        ownBasisPoints,
      })
      expect(sumOf(shares)).toBe(BigInt(totalMinor))
      for (const [index, share] of shares.othersMinor.entries()) {
        const exact = BigInt(totalMinor) * BigInt(people[index] ?? 0)
        const off = BigInt(share) * 10_000n - exact
        expect(off < 10_000n && off > -10_000n).toBe(true)
      }
    }),
  )
})

test('the spec’s share is the total over the people and one', () => {
  const people = [{}, {}, {}]
  expect(divide(100_00, { division: 'equal', people })).toEqual({ ownMinor: 25_00, othersMinor: [25_00, 25_00, 25_00] })
  expect(divide(100_01, { division: 'equal', people })).toEqual({ ownMinor: 25_01, othersMinor: [25_00, 25_00, 25_00] })
})

test.each([
  ['nobody', 'people_missing', 100, { division: 'equal', people: [] }],
  ['less than a cent each', 'amount_invalid', 3, { division: 'equal', people: [{}, {}, {}] }],
  ['amounts too small', 'shares_differ', 100, { division: 'amounts', people: [{ amountMinor: 50 }], ownMinor: 49 }],
  ['amounts too large', 'shares_differ', 100, { division: 'amounts', people: [{ amountMinor: 50 }], ownMinor: 51 }],
  [
    'percents short of all',
    'shares_differ',
    100,
    { division: 'percents', people: [{ basisPoints: 5_000 }], ownBasisPoints: 4_999 },
  ],
  [
    'a percent of too little',
    'amount_invalid',
    100,
    { division: 'percents', people: [{ basisPoints: 1 }], ownBasisPoints: 9_999 },
  ],
] as const)('%s is refused', (_what, code, totalMinor, dividing) => {
  expect(() => divide(totalMinor, dividing)).toThrow(code)
})
