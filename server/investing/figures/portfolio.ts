import { dayOf } from '#server/calendar/zone.ts'
import { toBankZone } from '#server/platform/time-zone.ts'
import type { InvestmentHolding, Investments } from '#contract/investing.ts'
import { type Fund, FUNDS, proceedsOf } from '#contract/markets.ts'
import { ASSETS } from '#contract/money.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import {
  type FundPrices,
  inBps,
  isYearly,
  moneyWeightedReturn,
  timeWeightedReturn,
  tradeMoments,
} from '#server/investing/figures/returns.ts'
import {
  tradeFlowOf,
  type FundTrade,
  positionsAt,
  type Positions,
  sumOver,
  tradesOf,
} from '#server/investing/figures/trades.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { pendingOrders } from '#server/investing/orders/order.ts'
import { plansOf } from '#server/investing/plans/plan.ts'
import { hasAcceptedRisk, suitabilityOf } from '#server/investing/orders/suitability.ts'
import type { Account } from '#server/ledger/accounts.ts'
import { mustVerify } from '#server/limits/verification.ts'
import { averageCostMicros, type AssetPosition } from '#server/markets/average-cost.ts'
import { nextPricing } from '#server/markets/feed/pricing-hours.ts'
import { type Market, marketOf, pricesAt } from '#server/markets/prices.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type FigureDeps = Pick<Deps, 'db' | 'clock' | 'policy' | 'prices'>

/** Returns the prices of all funds at each of these moments, in their order. */
export async function fundPricesAt(deps: Pick<Deps, 'prices'>, moments: readonly Date[]): Promise<FundPrices[]> {
  const [conservative, balanced, aggressive] = await Promise.all(FUNDS.map((fund) => pricesAt(deps, fund, moments)))
  return moments.map((_moment, place) => ({
    FUND_CONSERVATIVE: conservative?.[place]?.priceMicros ?? null,
    FUND_BALANCED: balanced?.[place]?.priceMicros ?? null,
    FUND_AGGRESSIVE: aggressive?.[place]?.priceMicros ?? null,
  }))
}

/** Returns the value of units at a price, in US cents. It is zero if there is no price. */
export const valueOf = (fund: Fund, { unitsMinor }: Pick<AssetPosition, 'unitsMinor'>, prices: FundPrices): number => {
  const priceMicros = prices[fund]
  return priceMicros === null ? 0 : proceedsOf(fund, unitsMinor, priceMicros)
}

/** Returns the same time of day one month earlier. If that month has no such day, it is the month's last day. */
function aMonthBefore(now: Date): Date {
  const moment = toBankZone(now)
  return new Date(moment.subtract({ months: 1 }).epochMilliseconds)
}

/** The data from which all figures are computed. */
type Figures = {
  trades: readonly FundTrade[]
  now: Date
  positions: Positions
  prices: FundPrices
  monthAgo: { at: Date; positions: Positions; prices: FundPrices }
}

async function figuresOf(deps: FigureDeps, trades: readonly FundTrade[], markets: readonly Market[]): Promise<Figures> {
  const now = deps.clock.businessNow()
  const monthAgoAt = aMonthBefore(now)
  const [[monthAgoPrices], [monthAgoPositions, positions]] = [
    await fundPricesAt(deps, [monthAgoAt]),
    positionsAt(trades, [monthAgoAt, now]),
  ]
  if (!monthAgoPrices || !monthAgoPositions || !positions) throw new Error('The figures of a time are missing')
  const last = (fund: Fund) => markets.find(({ asset }) => asset === fund)?.price?.priceMicros ?? null
  const prices = {
    FUND_CONSERVATIVE: last('FUND_CONSERVATIVE'),
    FUND_BALANCED: last('FUND_BALANCED'),
    FUND_AGGRESSIVE: last('FUND_AGGRESSIVE'),
  }
  return {
    trades,
    now,
    positions,
    prices,
    monthAgo: { at: monthAgoAt, positions: monthAgoPositions, prices: monthAgoPrices },
  }
}

/**
 * Returns the change in the value of these funds over the last month that came from prices, not from orders. Returns null if
 * the customer held no units a month ago and has bought none since.
 */
function monthChange({ trades, positions, prices, monthAgo }: Figures, funds: readonly Fund[]) {
  const before = (fund: Fund) => valueOf(fund, monthAgo.positions[fund], monthAgo.prices)
  const sum = (figureOf: (fund: Fund) => number) => funds.reduce((total, fund) => total + figureOf(fund), 0)
  const flows = trades.filter(({ fund, at }) => funds.includes(fund) && at > monthAgo.at).map(tradeFlowOf)
  const flowed = flows.reduce((total, flow) => total + flow, 0)
  const putIn = flows.reduce((total, flow) => total + Math.max(0, flow), 0)
  const base = sum(before) + putIn
  if (base === 0) return null
  const amountMinor = sum((fund) => valueOf(fund, positions[fund], prices)) - sum(before) - flowed
  return { amountMinor, bps: inBps(amountMinor / base) }
}

function holdingOf(figures: Figures, fund: Fund, account: Account | undefined): InvestmentHolding {
  const position = figures.positions[fund]
  const valueMinor = valueOf(fund, position, figures.prices)
  return {
    fund,
    unitsMinor: position.unitsMinor,
    heldUnitsMinor: account?.heldMinor ?? 0,
    valueMinor,
    averageCostMicros: averageCostMicros(position, ASSETS[fund].decimals) ?? 0,
    costMinor: position.costMinor,
    unrealisedMinor: valueMinor - position.costMinor,
    realisedMinor: position.realisedMinor,
    monthChange: monthChange(figures, [fund]),
  }
}

async function returnsOf(
  deps: FigureDeps,
  { trades, now, prices }: Figures,
  valueMinor: number,
): Promise<Investments['returns']> {
  const [first] = trades
  if (!first) return null
  const atTrades = await fundPricesAt(deps, tradeMoments(trades))
  const rate = moneyWeightedReturn(trades, valueMinor, now)
  return {
    since: first.at.toISOString(),
    timeWeightedBps: inBps(timeWeightedReturn(trades, [...atTrades, prices], now)),
    moneyWeightedBps: rate === null ? null : inBps(rate),
    annualised: isYearly(trades, now),
  }
}

/** Returns a customer's portfolio at the latest prices. */
export async function portfolioOf(deps: FigureDeps, customer: Pick<Customer, 'id' | 'verified'>): Promise<Investments> {
  const [trades, markets, accounts, orders, plans, suitability, riskAccepted] = await Promise.all([
    tradesOf(deps, customer.id),
    Promise.all(FUNDS.map((fund) => marketOf(deps, fund))),
    fundAccounts(runIn(deps.db), customer.id),
    pendingOrders(deps, customer.id),
    plansOf(deps, customer.id),
    suitabilityOf(deps.db, customer.id),
    hasAcceptedRisk(deps.db, customer.id),
  ])
  const figures = await figuresOf(deps, trades, markets)
  const { positions, now } = figures
  const holdings = FUNDS.filter((fund) => positions[fund].unitsMinor > 0).map((fund) =>
    holdingOf(figures, fund, accounts.get(fund)),
  )
  const valueMinor = holdings.reduce((sum, holding) => sum + holding.valueMinor, 0)
  const investedMinor = sumOver((fund) => positions[fund].costMinor)
  return {
    asset: 'USD',
    valueMinor,
    monthChange: monthChange(figures, FUNDS),
    investedMinor,
    unrealisedMinor: valueMinor - investedMinor,
    realisedMinor: sumOver((fund) => positions[fund].realisedMinor),
    returns: await returnsOf(deps, figures, valueMinor),
    markets: markets.map((market, place) => ({
      fund: FUNDS[place] as Fund,
      open: market.status === 'open',
      price: market.price && { priceMicros: market.price.priceMicros, pricedAt: market.price.at.toISOString() },
    })),
    holdings,
    orders,
    plans,
    suitability,
    riskAccepted,
    mustVerify: mustVerify(deps, customer),
    fee: { bps: deps.policy.investing.feeBps, leastMinor: deps.policy.investing.feeLeastMinor },
    orderMostMinor: deps.policy.limits.out.operationMinor,
    fillsAt: nextPricing(now).toISOString(),
    today: dayOf(now),
  }
}
