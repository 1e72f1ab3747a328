import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageCostMicros, positionOf, type Trade } from '#server/markets/average-cost.ts'
import { type DatedTrade, matchLots } from '#server/markets/lots.ts'

const buy = (unitsMinor: number, centsMinor: number): Trade => ({ side: 'buy', unitsMinor, centsMinor })
const sell = (unitsMinor: number, centsMinor: number): Trade => ({ side: 'sell', unitsMinor, centsMinor })

/** Trades that can happen: nobody sells more than there is, and now and then somebody sells all. */
const trades = fc
  .array(
    fc.record({
      sells: fc.boolean(),
      units: fc.integer({ min: 1, max: 1_000_000_000_000 }),
      part: fc.constantFrom(1n, 2n, 3n, 7n),
      cents: fc.integer({ min: 0, max: 1_000_000_000 }),
    }),
    { maxLength: 30 },
  )
  .map((asked) => {
    let held = 0
    return asked.map(({ sells, units, part, cents }): Trade => {
      const sold = sells ? Number(BigInt(held) / part) : 0
      held += sold > 0 ? -sold : units
      return sold > 0 ? sell(sold, cents) : buy(units, cents)
    })
  })

const dated = (all: readonly Trade[]): DatedTrade[] =>
  all.map((trade, place) => ({ ...trade, id: `trade ${place}`, at: new Date(place) }))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const unitsOf = (all: readonly Trade[], side: Trade['side']): number =>
  sum(all.filter((one) => one.side === side).map((one) => one.unitsMinor))
const centsOf = (all: readonly Trade[], side: Trade['side']): number =>
  sum(all.filter((one) => one.side === side).map((one) => one.centsMinor))

test('what is sold takes its share of the cost with it, and the remainder stays with what is left', () => {
  expect(positionOf([])).toEqual({ unitsMinor: 0, costMinor: 0, realisedMinor: 0 })
  expect(positionOf([buy(3, 100)])).toEqual({ unitsMinor: 3, costMinor: 100, realisedMinor: 0 })
  expect(positionOf([buy(3, 100), sell(1, 50)])).toEqual({ unitsMinor: 2, costMinor: 67, realisedMinor: 17 })
  expect(positionOf([buy(3, 100), sell(1, 50), sell(2, 50)])).toEqual({ unitsMinor: 0, costMinor: 0, realisedMinor: 0 })
  expect(positionOf([buy(100, 100), buy(100, 300), sell(50, 90)])).toMatchObject({ costMinor: 300, realisedMinor: -10 })
})

test('the average cost is of a whole coin or unit; of nothing there is none', () => {
  expect(averageCostMicros(positionOf([buy(50_000_000, 32_125_06)]), 8)).toBe(64_250_120_000)
  expect(averageCostMicros(positionOf([buy(3_000_000, 10_00)]), 6)).toBe(3_333_333)
  expect(averageCostMicros(positionOf([buy(5, 5), sell(5, 9)]), 6)).toBeNull()
})

test('more than there is cannot be sold', () => {
  expect(() => positionOf([buy(3, 100), sell(4, 100)])).toThrow(RangeError)
  expect(() => matchLots(dated([buy(3, 100), sell(4, 100)]))).toThrow(RangeError)
})

test('a position follows an exact calculation with fractions to within a cent for each sale, and no cent gets lost', () => {
  fc.assert(
    fc.property(trades, (all) => {
      const { unitsMinor, costMinor, realisedMinor } = positionOf(all)
      expect(unitsMinor).toBe(unitsOf(all, 'buy') - unitsOf(all, 'sell'))
      // All that was paid and received is either in the cost or realised.
      expect(costMinor - realisedMinor).toBe(centsOf(all, 'buy') - centsOf(all, 'sell'))
      if (unitsMinor === 0) expect(costMinor).toBe(0)

      let [units, cost] = [0, 0]
      for (const trade of all) {
        if (trade.side === 'buy') [units, cost] = [units + trade.unitsMinor, cost + trade.centsMinor]
        else [units, cost] = [units - trade.unitsMinor, cost * (1 - trade.unitsMinor / units)]
      }
      const sales = all.filter(({ side }) => side === 'sell').length
      expect(Math.abs(costMinor - cost)).toBeLessThanOrEqual(sales + 0.001)
    }),
  )
})

test('each sale is matched to the oldest purchases, as counting unit by unit would', () => {
  const small = fc
    .array(fc.record({ sells: fc.boolean(), units: fc.integer({ min: 1, max: 9 }), cents: fc.nat(500) }), {
      maxLength: 20,
    })
    .map((asked) => {
      let held = 0
      return asked.map(({ sells, units, cents }): Trade => {
        const sold = sells ? Math.min(units, held) : 0
        held += sold > 0 ? -sold : units
        return sold > 0 ? sell(sold, cents) : buy(units, cents)
      })
    })
  fc.assert(
    fc.property(small, (all) => {
      // A queue with one entry for each unit: who bought it, and who sold it.
      const queue: string[] = []
      const pairs: string[] = []
      for (const { id, side, unitsMinor } of dated(all)) {
        for (let unit = 0; unit < unitsMinor; unit += 1) {
          if (side === 'buy') queue.push(id)
          else pairs.push(`${queue.shift()} to ${id}`)
        }
      }
      const { closed, open } = matchLots(dated(all))
      expect(
        closed.flatMap((lot) => Array.from({ length: lot.unitsMinor }, () => `${lot.buyId} to ${lot.sellId}`)),
      ).toEqual(pairs)
      expect(open.flatMap((lot) => Array.from({ length: lot.unitsMinor }, () => lot.buyId))).toEqual(queue)
    }),
  )
})

test('the parts of a purchase and of a sale add up to it, to the cent', () => {
  fc.assert(
    fc.property(trades, (all) => {
      const given = dated(all)
      const { closed, open } = matchLots(given)
      for (const { id, side, unitsMinor, centsMinor } of given) {
        const parts = closed.filter((lot) => (side === 'buy' ? lot.buyId : lot.sellId) === id)
        const left = open.filter((lot) => side === 'buy' && lot.buyId === id)
        expect(sum([...parts, ...left].map((lot) => lot.unitsMinor))).toBe(unitsMinor)
        const cents =
          side === 'buy' ? [...parts, ...left].map((lot) => lot.costMinor) : parts.map((lot) => lot.proceedsMinor)
        expect(sum(cents)).toBe(centsMinor)
        expect(cents.every((part) => part >= 0)).toBe(true)
      }
    }),
  )
})
