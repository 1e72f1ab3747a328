import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharesOf } from '#contract/money.ts'

test.each([
  [
    [45, 32, 28, 18],
    [36, 26, 23, 15],
  ],
  [
    [520, 380, 210, 180, 210],
    [35, 25, 14, 12, 14],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [-50, 30, 10],
    [0, 75, 25],
  ],
  [
    [0, -5],
    [0, 0],
  ],
])('the shares of the amounts %j are %j percent', (amounts, shares) => {
  expect(sharesOf(amounts)).toEqual(shares)
})

test('shares add up to 100, and each is less than one from its exact value', () => {
  const arrays = fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(
      arrays.filter((amounts) => amounts.some((amount) => amount > 0)),
      (amounts) => {
        const total = amounts.reduce((sum, amount) => sum + amount, 0)
        const shares = sharesOf(amounts)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100)
        for (const [index, share] of shares.entries()) {
          expect(Math.abs(share - ((amounts[index] ?? 0) / total) * 100)).toBeLessThan(1.000_001)
        }
      },
    ),
  )
})
