import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf, PRICED, proceedsOf, unitsFor } from '#contract/markets.ts'

const asset = fc.constantFrom(...PRICED)
const priceMicros = fc.integer({ min: 1, max: 1_000_000_000_000 })

test('a conversion is rounded so that the remainder stays with the bank', () => {
  // The value is a third of a cent. A purchase therefore costs a whole cent, and a sale returns nothing.
  expect(costOf('BTC', 1, 333_333_333_333)).toBe(1)
  expect(proceedsOf('BTC', 1, 333_333_333_333)).toBe(0)
  expect(unitsFor('FUND_BALANCED', 100_00, 12_340_000)).toBe(8_103_727)
})

test('converting back and forth never gains money', () => {
  fc.assert(
    fc.property(asset, priceMicros, fc.integer({ min: 1, max: 1_000_000_00 }), (tradedAsset, price, cents) => {
      const units = boughtFor(tradedAsset, cents, price)
      if (units === null) return
      expect(proceedsOf(tradedAsset, units, price)).toBeLessThanOrEqual(cents)
      expect(costOf(tradedAsset, units, price)).toBeLessThanOrEqual(cents)
      if (units > 0)
        expect(boughtFor(tradedAsset, costOf(tradedAsset, units, price), price)).toBeGreaterThanOrEqual(units)
    }),
  )
})

test('an amount beyond the maximum is refused', () => {
  expect(() => proceedsOf('FUND_BALANCED', Number.MAX_SAFE_INTEGER, 1_000_000_000_000)).toThrow('amount_too_large')
  expect(() => unitsFor('BTC', 1_000_000_00, 1)).toThrow('amount_too_large')
})

/** Returns the units that an amount buys, or null if they exceed the largest amount. */
function boughtFor(...args: Parameters<typeof unitsFor>): number | null {
  try {
    return unitsFor(...args)
  } catch {
    return null
  }
}
