import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageCostMicros, positionOf, type PositionTrade } from '#server/markets/average-cost.ts'
import { type DatedTrade, matchLots } from '#server/markets/lots.ts'

const buy = (unitsMinor: number, centsMinor: number): PositionTrade => ({ side: 'buy', unitsMinor, centsMinor })
const sell = (unitsMinor: number, centsMinor: number): PositionTrade => ({ side: 'sell', unitsMinor, centsMinor })

/** Generates possible trades: a sale is never larger than the holding, and some sales take all of it. */
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
  .map((requests) => {
    let heldUnits = 0
    return requests.map(({ sells, units, part, cents }): PositionTrade => {
      const sold = sells ? Number(BigInt(heldUnits) / part) : 0
      heldUnits += sold > 0 ? -sold : units
      return sold > 0 ? sell(sold, cents) : buy(units, cents)
    })
  })

const dated = (all: readonly PositionTrade[]): DatedTrade[] =>
  all.map((trade, place) => ({ ...trade, id: `trade ${place}`, at: new Date(place) }))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0)
const unitsOf = (all: readonly PositionTrade[], side: PositionTrade['side']): number =>
  sum(all.filter((trade) => trade.side === side).map((trade) => trade.unitsMinor))
const centsOf = (all: readonly PositionTrade[], side: PositionTrade['side']): number =>
  sum(all.filter((trade) => trade.side === side).map((trade) => trade.centsMinor))

test('a sale takes its share of the cost, and the remainder stays with the rest', () => {
  expect(positionOf([])).toEqual({ unitsMinor: 0, costMinor: 0, realisedMinor: 0 })
  expect(positionOf([buy(3, 100)])).toEqual({ unitsMinor: 3, costMinor: 100, realisedMinor: 0 })
  expect(positionOf([buy(3, 100), sell(1, 50)])).toEqual({ unitsMinor: 2, costMinor: 67, realisedMinor: 17 })
  expect(positionOf([buy(3, 100), sell(1, 50), sell(2, 50)])).toEqual({ unitsMinor: 0, costMinor: 0, realisedMinor: 0 })
  expect(positionOf([buy(100, 100), buy(100, 300), sell(50, 90)])).toMatchObject({ costMinor: 300, realisedMinor: -10 })
})

test('the average cost is for a whole coin or unit, and does not exist for an empty position', () => {
  expect(averageCostMicros(positionOf([buy(50_000_000, 32_125_06)]), 8)).toBe(64_250_120_000)
  expect(averageCostMicros(positionOf([buy(3_000_000, 10_00)]), 6)).toBe(3_333_333)
  expect(averageCostMicros(positionOf([buy(5, 5), sell(5, 9)]), 6)).toBeNull()
})

test('more than the position cannot be sold', () => {
  expect(() => positionOf([buy(3, 100), sell(4, 100)])).toThrow(RangeError)
  expect(() => matchLots(dated([buy(3, 100), sell(4, 100)]))).toThrow(RangeError)
})

test('a position matches an exact calculation with fractions within a cent per sale, and no cent gets lost', () => {
  fc.assert(
    fc.property(trades, (positionTrades) => {
      const { unitsMinor, costMinor, realisedMinor } = positionOf(positionTrades)
      expect(unitsMinor).toBe(unitsOf(positionTrades, 'buy') - unitsOf(positionTrades, 'sell'))
      // Every amount paid or received is part of the cost or of the realized profit.
      expect(costMinor - realisedMinor).toBe(centsOf(positionTrades, 'buy') - centsOf(positionTrades, 'sell'))
      if (unitsMinor === 0) expect(costMinor).toBe(0)

      let [units, cost] = [0, 0]
      for (const trade of positionTrades) {
        if (trade.side === 'buy') [units, cost] = [units + trade.unitsMinor, cost + trade.centsMinor]
        else [units, cost] = [units - trade.unitsMinor, cost * (1 - trade.unitsMinor / units)]
      }
      const sales = positionTrades.filter(({ side }) => side === 'sell').length
      expect(Math.abs(costMinor - cost)).toBeLessThanOrEqual(sales + 0.001)
    }),
  )
})

test('each sale is matched to the oldest purchases, like counting unit by unit', () => {
  const small = fc
    .array(fc.record({ sells: fc.boolean(), units: fc.integer({ min: 1, max: 9 }), cents: fc.nat(500) }), {
      maxLength: 20,
    })
    .map((requests) => {
      let heldUnits = 0
      return requests.map(({ sells, units, cents }): PositionTrade => {
        const sold = sells ? Math.min(units, heldUnits) : 0
        heldUnits += sold > 0 ? -sold : units
        return sold > 0 ? sell(sold, cents) : buy(units, cents)
      })
    })
  fc.assert(
    fc.property(small, (positionTrades) => {
      // The expected result comes from a queue with one entry for each unit: its purchase and its sale.
      const queue: string[] = []
      const pairs: string[] = []
      for (const { id, side, unitsMinor } of dated(positionTrades)) {
        for (let unit = 0; unit < unitsMinor; unit += 1) {
          if (side === 'buy') queue.push(id)
          else pairs.push(`${queue.shift()} to ${id}`)
        }
      }
      const { closed, open } = matchLots(dated(positionTrades))
      expect(
        closed.flatMap((lot) => Array.from({ length: lot.unitsMinor }, () => `${lot.buyId} to ${lot.sellId}`)),
      ).toEqual(pairs)
      expect(open.flatMap((lot) => Array.from({ length: lot.unitsMinor }, () => lot.buyId))).toEqual(queue)
    }),
  )
})

test('the parts of a purchase and of a sale add up to it, to the cent', () => {
  fc.assert(
    fc.property(trades, (positionTrades) => {
      const datedPrices = dated(positionTrades)
      const { closed, open } = matchLots(datedPrices)
      for (const { id, side, unitsMinor, centsMinor } of datedPrices) {
        const parts = closed.filter((lot) => (side === 'buy' ? lot.buyId : lot.sellId) === id)
        const openLots = open.filter((lot) => side === 'buy' && lot.buyId === id)
        expect(sum([...parts, ...openLots].map((lot) => lot.unitsMinor))).toBe(unitsMinor)
        const cents =
          side === 'buy' ? [...parts, ...openLots].map((lot) => lot.costMinor) : parts.map((lot) => lot.proceedsMinor)
        expect(sum(cents)).toBe(centsMinor)
        expect(cents.every((part) => part >= 0)).toBe(true)
      }
    }),
  )
})
