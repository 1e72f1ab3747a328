import { dayOf } from '#server/calendar/zone.ts'
import { isBusinessDay } from '#server/calendar/business-days.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import type { Investments, InvestmentValue } from '#contract/investing.ts'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { isYearly, moneyWeightedReturn, timeWeightedReturn } from '#server/investing/figures/returns.ts'
import { purchaseAt, saleAt } from '#server/investing/orders/fill.ts'
import { sweepJob } from '#server/investing/runs.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { runOn } from '#server/platform/db/run.ts'
import { policyFor } from '#server/bank/policy.ts'
import { testClock } from '#server/test/bank.ts'
import { controlPrices, investorOf, type TestFeed } from '#server/test/investor.ts'
import { auditTestBooks, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { tries } from '../../../scripts/test-effort.ts'

/** The start is long before the first price. */
const START = new Date('2026-01-05T09:00:00.000Z')
const DAY_MS = 86_400_000

const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let feed: TestFeed
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  feed = controlPrices(server.deps, clock)
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

const policy = policyFor({ mode: 'sample' })
const price = fc.integer({ min: 1_000_000, max: 500_000_000 })

/** Returns the result of `work`, or null if the amount is larger than money can be. */
function unlessRefused<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'amount_too_large') return null
    throw error
  }
}

test('ten thousand random purchases and sales create no cent and no unit', () => {
  const steps = fc.array(
    fc.record({
      fund: fc.constantFrom(...FUNDS),
      isBuy: fc.boolean(),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      priceMicros: price,
    }),
    { minLength: 100, maxLength: 100 },
  )
  fc.assert(
    fc.property(steps, (tradeSteps) => {
      let [cash, fees, bankCash] = [1_000_000_00, 0, 0]
      const units: Record<Fund, number> = { FUND_CONSERVATIVE: 0, FUND_BALANCED: 0, FUND_AGGRESSIVE: 0 }
      for (const { fund, isBuy, part, priceMicros } of tradeSteps) {
        if (isBuy) {
          const spent = Math.floor(cash * part)
          if (spent < 10_00) continue
          const fill = unlessRefused(() => purchaseAt({ policy }, fund, spent, priceMicros))
          if (!fill) continue
          // The units are worth no more than the price paid, and one more unit would be worth more.
          const worth = BigInt(fill.unitsMinor) * BigInt(priceMicros)
          const paidExact = BigInt(spent - fill.feeMinor) * 10n ** 10n
          expect(worth <= paidExact && worth + BigInt(priceMicros) > paidExact).toBe(true)
          cash -= spent
          bankCash += spent - fill.feeMinor
          fees += fill.feeMinor
          units[fund] += fill.unitsMinor
        } else {
          const soldUnits = Math.floor(units[fund] * part)
          if (soldUnits === 0) continue
          const fill = unlessRefused(() => saleAt({ policy }, fund, soldUnits, priceMicros))
          if (!fill) continue
          const gross = BigInt(fill.amountMinor + fill.feeMinor) * 10n ** 10n
          const worth = BigInt(soldUnits) * BigInt(priceMicros)
          expect(gross <= worth && gross + 10n ** 10n > worth).toBe(true)
          cash += fill.amountMinor
          bankCash -= fill.amountMinor + fill.feeMinor
          fees += fill.feeMinor
          units[fund] -= soldUnits
        }
        expect(Math.min(cash, fees, ...Object.values(units))).toBeGreaterThanOrEqual(0)
        expect(cash + fees + bankCash).toBe(1_000_000_00)
      }
    }),
    { numRuns: tries(100) },
  )
})

test('buying and selling at one price only loses money', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FUNDS),
      fc.integer({ min: 10_00, max: 1_000_000_00 }),
      price,
      (fund, amountMinor, priceMicros) => {
        const { unitsMinor } = purchaseAt({ policy }, fund, amountMinor, priceMicros)
        expect(saleAt({ policy }, fund, unitsMinor, priceMicros).amountMinor).toBeLessThan(amountMinor)
      },
    ),
  )
})

/** A trade as the test records it, in its own units: dollars and whole units as fractions. */
type TestTrade = { day: number; fund: Fund; buy: boolean; cents: number; units: number; fee: number }

/** The ends of the funds' business days by number, from START on. */
const BUSINESS_DAYS = Array.from({ length: 1_200 }, (_, passed) => new Date(START.getTime() + passed * DAY_MS)).filter(
  (date) => isBusinessDay(dayOf(date)),
)
const pricedOn = (day: number): number => (BUSINESS_DAYS[day]?.getTime() ?? 0) + 7 * 3_600_000
const daysBetween = (day: number, later: number): number => (pricedOn(later) - pricedOn(day)) / DAY_MS

/** The prices of each business day in dollars, by fund. */
type Walk = Record<Fund, number[]>

/** Returns the fee by the terms: a quarter of a percent, rounded up, at least one cent. */
const feeFor = (cents: number): number => Math.max(1, Math.ceil(Math.round(cents * 25) / 10_000))

/** Computes the expected figures independently of the bank's code, one day after the other. */
function computeExpected(deeds: readonly TestTrade[], walk: Walk, lastDay: number) {
  const positions = Object.fromEntries(FUNDS.map((fund) => [fund, { units: 0, cost: 0, realised: 0 }])) as Record<
    Fund,
    { units: number; cost: number; realised: number }
  >
  let [index, heldDays] = [1, 0]
  for (let day = 0; day <= lastDay; day += 1) {
    const worthAt = (moment: number) =>
      FUNDS.reduce((sum, fund) => sum + positions[fund].units * (walk[fund][moment] ?? 0), 0)
    if (day > 0 && worthAt(day - 1) > 0) {
      index *= worthAt(day) / worthAt(day - 1)
      heldDays += daysBetween(day - 1, day)
    }
    for (const { fund, buy, cents, units } of deeds.filter((deed) => deed.day === day)) {
      const position = positions[fund]
      if (buy) {
        position.units += units
        position.cost += cents
      } else {
        const share = units === position.units ? position.cost : Math.floor((position.cost * units) / position.units)
        position.units -= units
        position.cost -= share
        position.realised += cents - share
      }
    }
  }
  const value = (fund: Fund) =>
    Math.floor((positions[fund].units * Math.round((walk[fund][lastDay] ?? 0) * 1e6)) / 1e10)
  return { own: positions, value, total: FUNDS.reduce((sum, fund) => sum + value(fund), 0), index, heldDays }
}

/** Returns the rest if all money had grown at a yearly rate. It is zero at the money-weighted return. */
function leftOver(deeds: readonly TestTrade[], value: number, lastDay: number, growthPerDay: number): number {
  return deeds.reduce(
    (sum, { day, buy, cents }) => sum + (buy ? -cents : cents) * growthPerDay ** daysBetween(day, lastDay),
    value,
  )
}

const steps = fc.array(
  fc.record({
    days: fc.integer({ min: 1, max: 40 }),
    moves: fc.array(fc.integer({ min: -120, max: 150 }), { minLength: 3, maxLength: 3 }),
    fund: fc.constantFrom(...FUNDS),
    act: fc.constantFrom('buy', 'buy', 'buy', 'part', 'all'),
    cents: fc.integer({ min: 10_00, max: 20_000_00 }),
    part: fc.integer({ min: 1, max: 99 }),
  }),
  { minLength: 8, maxLength: 24 },
)
type Step = typeof steps extends fc.Arbitrary<infer Steps> ? (Steps extends (infer One)[] ? One : never) : never

/** Places a sequence of orders at the bank, and records the expected results in the test's own form. */
async function playSteps(investorSteps: readonly Step[]) {
  feed.clear()
  clock.set(START)
  people += 1
  const ann = await server.person({ fullName: 'Ann Lee', email: `ann.figures${people}@example.com` })
  const investor = investorOf(ann)
  await ann.fund(900_000_00)
  await investor.prepare()
  const walk: Walk = { FUND_CONSERVATIVE: [12.5], FUND_BALANCED: [20], FUND_AGGRESSIVE: [27.12] }
  const deeds: TestTrade[] = []
  const owned: Record<Fund, number> = { FUND_CONSERVATIVE: 0, FUND_BALANCED: 0, FUND_AGGRESSIVE: 0 }
  const publish = (day: number) => {
    for (const fund of FUNDS) feed.publish(fund, new Date(pricedOn(day)).toISOString(), walk[fund][day] ?? 0)
  }
  publish(0)
  clock.set(new Date(pricedOn(0)))
  let day = 0
  for (const { days, moves, fund, act, cents, part } of investorSteps) {
    const unitCount = act === 'all' ? owned[fund] : Math.floor((owned[fund] * part) / 100)
    const buys = act === 'buy' || unitCount < 100_000
    if (buys) await investor.buy(fund, cents)
    else await investor.sell(fund, act === 'all' ? 'all' : unitCount)
    const filledOn = day + 1
    for (let passed = 0; passed < days; passed += 1) {
      day += 1
      FUNDS.forEach((walkedFund, place) => {
        const before = walk[walkedFund][day - 1] ?? 1
        walk[walkedFund].push(Math.round(before * (1 + (moves[place] ?? 0) / 10_000) * 1e6) / 1e6)
      })
      publish(day)
    }
    const filledAt = walk[fund][filledOn] ?? 1
    const micros = BigInt(Math.round(filledAt * 1e6))
    if (buys) {
      const fee = feeFor(cents)
      const units = Number((BigInt(cents - fee) * 10n ** 10n) / micros)
      owned[fund] += units
      deeds.push({ day: filledOn, fund, buy: true, cents, units, fee })
    } else {
      const gross = Number((BigInt(unitCount) * micros) / 10n ** 10n)
      owned[fund] -= unitCount
      deeds.push({
        day: filledOn,
        fund,
        buy: false,
        cents: gross - feeFor(gross),
        units: unitCount,
        fee: feeFor(gross),
      })
    }
    clock.set(new Date(pricedOn(day)))
    await sweepJob.work(server.deps)
  }
  return { ann, her: investor, walk, deeds, day }
}

test('the figures match an independent calculation for any purchases, holdings and sales', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (investorSteps) => {
      const { ann, her: investor, walk, deeds, day } = await playSteps(investorSteps)
      const portfolio: Investments = await investor.portfolio()
      const { own, value, total, index, heldDays } = computeExpected(deeds, walk, day)
      expect(portfolio.orders).toEqual([])
      const heldFunds = FUNDS.filter((fund) => own[fund].units > 0)
      expect(portfolio.holdings.map((holding) => holding.fund)).toEqual(heldFunds)
      for (const holding of portfolio.holdings) {
        const { units, cost, realised } = own[holding.fund]
        expect(holding).toMatchObject({
          unitsMinor: units,
          costMinor: cost,
          realisedMinor: realised,
          valueMinor: value(holding.fund),
          averageCostMicros: Math.floor((cost * 1e10) / units),
          unrealisedMinor: value(holding.fund) - cost,
        })
      }
      const sum = (amountOf: (fund: Fund) => number) => FUNDS.reduce((before, fund) => before + amountOf(fund), 0)
      expect(portfolio).toMatchObject({
        valueMinor: total,
        investedMinor: sum((fund) => own[fund].cost),
        realisedMinor: sum((fund) => own[fund].realised),
      })
      // The figures equal the ledger's balances of money and units.
      const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
      for (const { code, asset, balanceMinor } of accounts)
        if (code === 'fund') expect(balanceMinor).toBe(own[asset as Fund].units)
      const spent = deeds.reduce((before, { buy, cents }) => before + (buy ? -cents : cents), 0)
      expect(await ann.balanceMinor()).toBe(900_000_00 + spent)

      const years = heldDays / 365
      const grown = years > 1 ? index ** (1 / years) : index
      expect(portfolio.returns?.annualised).toBe(years > 1)
      expect(Math.abs((portfolio.returns?.timeWeightedBps ?? 0) - (grown - 1) * 10_000)).toBeLessThan(2)
      const rate = portfolio.returns?.moneyWeightedBps
      if (rate !== null && rate !== undefined) {
        const perDay = (bps: number) => (1 + bps / 10_000) ** (1 / (years > 1 ? 365 : years * 365))
        const [below, above] = [rate - 2, rate + 2].map((bps) => leftOver(deeds, total, day, perDay(bps)))
        expect(Math.sign(below ?? 0)).not.toBe(Math.sign(above ?? 0))
      }
      const { points }: InvestmentValue = await investor.read('/value?range=all')
      expect(points.at(-1)).toMatchObject({ valueMinor: total, investedMinor: portfolio.investedMinor })
      expect(points.length).toBeLessThanOrEqual(93)
    }),
    { numRuns: tries(20), endOnFailure: true },
  )
}, 240_000)

test('the figures match an example calculated by hand', async () => {
  feed.clear()
  clock.set(START)
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann.byhand@example.com' })
  const investor = investorOf(ann)
  await ann.fund(10_000_00)
  await investor.prepare()
  const workAt = async (moment: string, dollars: number) => {
    feed.publish('FUND_BALANCED', moment, dollars)
    clock.set(new Date(moment))
    await sweepJob.work(server.deps)
  }
  await workAt('2026-01-05T16:00:00Z', 10)
  await investor.buy('FUND_BALANCED', 1_000_00)
  await workAt('2026-01-06T16:00:00Z', 10)
  // The fee is 2.50 dollars, and 99.75 units were bought. Now they are worth twice as much, and the same amount is invested
  // again.
  await investor.buy('FUND_BALANCED', 1_000_00)
  await workAt('2026-01-07T16:00:00Z', 20)
  await workAt('2026-03-02T16:00:00Z', 10)
  const portfolio = await investor.portfolio()
  expect(portfolio).toMatchObject({
    // The holding is 149.625 units.
    valueMinor: 1_496_25,
    investedMinor: 2_000_00,
    unrealisedMinor: -503_75,
    realisedMinor: 0,
    // The price doubled, then halved. The fund is back at its first price, but most of the money was invested at the top.
    returns: { timeWeightedBps: 0, annualised: false },
    // Over the last month the price fell from 20 to 10.
    monthChange: { amountMinor: -1_496_25, bps: -5_000 },
  })
  expect(portfolio.holdings).toMatchObject([{ unitsMinor: 149_625_000, averageCostMicros: 13_366_750 }])
  expect(portfolio.returns?.moneyWeightedBps).toBeLessThan(-2_000)
  await investor.sell('FUND_BALANCED', 'all')
  await workAt('2026-03-03T16:00:00Z', 20)
  // The payout is 2,992.50 less a fee of 7.48125, rounded up.
  expect(await investor.portfolio()).toMatchObject({
    valueMinor: 0,
    investedMinor: 0,
    realisedMinor: 985_01,
    holdings: [],
  })
  expect(await ann.balanceMinor()).toBe(8_000_00 + 2_985_01)
})

test('a deposit is not a market gain', async () => {
  feed.clear()
  clock.set(START)
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann.deposit@example.com' })
  const investor = investorOf(ann)
  await ann.fund(10_000_00)
  await investor.prepare()
  expect(await investor.portfolio()).toMatchObject({ valueMinor: 0, monthChange: null, returns: null })
  expect(await investor.read('/value?range=month')).toMatchObject({ points: [] })
  feed.publish('FUND_BALANCED', '2026-01-05T08:00:00Z', 10)
  await investor.buy('FUND_BALANCED', 1_000_00)
  feed.publish('FUND_BALANCED', '2026-01-05T16:00:00Z', 10)
  clock.set(new Date('2026-01-05T16:00:00Z'))
  await sweepJob.work(server.deps)
  const portfolio = await investor.portfolio()
  expect(portfolio).toMatchObject({ valueMinor: 997_50, monthChange: { amountMinor: 0, bps: 0 } })
  expect(portfolio.returns).toMatchObject({ timeWeightedBps: 0, moneyWeightedBps: null })
})

test('there is no rate after a total loss or without a deposit', () => {
  const startMoment = START
  const purchase = {
    fund: 'FUND_BALANCED' as const,
    side: 'buy' as const,
    unitsMinor: 1,
    centsMinor: 10_00,
    feeMinor: 1,
    at: startMoment,
  }
  const hundredDaysLater = new Date(START.getTime() + 100 * DAY_MS)
  expect(moneyWeightedReturn([purchase], 0, hundredDaysLater)).toBeNull()
  expect(moneyWeightedReturn([], 0, hundredDaysLater)).toBeNull()
  expect(moneyWeightedReturn([purchase], 11_00, hundredDaysLater)).toBeCloseTo(0.1)
})

test('periods without holdings do not count for the return', () => {
  const trade = { fund: 'FUND_BALANCED' as const, unitsMinor: 1_000_000, feeMinor: 0 }
  const after = (days: number) => new Date(START.getTime() + days * DAY_MS)
  const trades = [
    { ...trade, side: 'buy' as const, centsMinor: 10_00, at: START },
    { ...trade, side: 'sell' as const, centsMinor: 11_00, at: after(100) },
  ]
  const prices = [10, 11, 50].map((dollars) => ({
    FUND_CONSERVATIVE: null,
    FUND_BALANCED: dollars * 1_000_000,
    FUND_AGGRESSIVE: null,
  }))
  // The return is ten percent in a hundred days, however long ago that was.
  for (const now of [after(100), after(200), after(2_000)]) {
    expect(timeWeightedReturn(trades, prices, now)).toBeCloseTo(0.1)
    expect(moneyWeightedReturn(trades, 0, now)).toBeCloseTo(0.1)
    expect(isYearly(trades, now)).toBe(false)
  }
  // Two years with a holding and eight years without one count as two years.
  const long = trades.map((fundTrade) => (fundTrade.side === 'sell' ? { ...fundTrade, at: after(730) } : fundTrade))
  expect(timeWeightedReturn(long, prices, after(3_650))).toBeCloseTo(Math.sqrt(1.1) - 1)
  expect(moneyWeightedReturn(long, 0, after(3_650))).toBeCloseTo(Math.sqrt(1.1) - 1)
  expect(isYearly(long, after(3_650))).toBe(true)
})
