import { type Fund, FUNDS } from '#contract/markets.ts'
import { afterTrade, NO_POSITION, type Position } from '#server/markets/average-cost.ts'
import type { Deps } from '#server/platform/deps.ts'

/** An order that was filled. */
export type FundTrade = {
  fund: Fund
  side: 'buy' | 'sell'
  unitsMinor: number
  /** Paid, the fee included, or paid out, the fee taken off: US cents. */
  centsMinor: number
  feeMinor: number
  priceMicros: number
  /** When its price was published: from then on the units were the customer's, or no longer, however late that was booked. */
  at: Date
}

/** A customer's trades, oldest first. */
export async function tradesOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<FundTrade[]> {
  const rows = await db
    .selectFrom('bank.fund_order')
    .select(['fund', 'side', 'units_minor', 'amount_minor', 'fee_minor', 'price_micros', 'priced_at'])
    .where('customer_id', '=', customerId)
    .where('status', '=', 'filled')
    .orderBy('priced_at')
    .orderBy('placed_at')
    .orderBy('id')
    .execute()
  return rows.map(({ fund, side, ...row }) => ({
    fund,
    side,
    unitsMinor: row.units_minor ?? 0,
    centsMinor: row.amount_minor ?? 0,
    feeMinor: row.fee_minor ?? 0,
    priceMicros: row.price_micros ?? 1,
    at: row.priced_at,
  }))
}

export type Positions = Record<Fund, Position>

/** What a customer had at each of these moments (in order), from what they traded up to then. */
export function positionsAt(trades: readonly FundTrade[], moments: readonly Date[]): Positions[] {
  const positions: Positions = {
    FUND_CONSERVATIVE: NO_POSITION,
    FUND_BALANCED: NO_POSITION,
    FUND_AGGRESSIVE: NO_POSITION,
  }
  let next = 0
  return moments.map((moment) => {
    for (let trade = trades[next]; trade && trade.at <= moment; trade = trades[next]) {
      positions[trade.fund] = afterTrade(positions[trade.fund], trade)
      next += 1
    }
    return { ...positions }
  })
}

/** What a trade put in (above zero) or took out at the market's price, without its fee: US cents. */
export const flowOf = ({ side, centsMinor, feeMinor }: FundTrade): number =>
  side === 'buy' ? centsMinor - feeMinor : -(centsMinor + feeMinor)

/** A figure of each fund, added up. */
export const sumOver = (figureOf: (fund: Fund) => number): number =>
  FUNDS.reduce((sum, fund) => sum + figureOf(fund), 0)
