import { type Fund, FUNDS } from '#contract/markets.ts'
import { afterTrade, NO_POSITION, type AssetPosition } from '#server/markets/average-cost.ts'
import type { Deps } from '#server/platform/deps.ts'

/** An order that was filled. */
export type FundTrade = {
  fund: Fund
  side: 'buy' | 'sell'
  unitsMinor: number
  /** The amount paid for a purchase, fee included, or the payout of a sale after its fee, in US cents. */
  centsMinor: number
  feeMinor: number
  /** The time at which the price was published. The trade counts from this time, even if the bank booked it later. */
  at: Date
}

/** Returns a customer's trades, oldest first. */
export async function tradesOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<FundTrade[]> {
  const rows = await db
    .selectFrom('bank.fund_order')
    .select(['fund', 'side', 'units_minor', 'amount_minor', 'fee_minor', 'priced_at'])
    .where('customer_id', '=', customerId)
    .where('status', '=', 'filled')
    .orderBy('priced_at')
    .orderBy('placed_at')
    .orderBy('id')
    .execute()
  // A filled order has all three amounts (constraint fund_order_filled_whole). The zeros only satisfy the compiler.
  return rows.map(({ fund, side, ...row }) => ({
    fund,
    side,
    unitsMinor: row.units_minor ?? 0,
    centsMinor: row.amount_minor ?? 0,
    feeMinor: row.fee_minor ?? 0,
    at: row.priced_at,
  }))
}

export type Positions = Record<Fund, AssetPosition>

/**
 * Returns a customer's positions at each of `moments`, in the same order. A position includes the trades up to and including
 * its moment. Both `trades` and `moments` must be sorted, oldest first.
 */
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

/**
 * Returns the amount by which a trade changed the value of a holding, in US cents: the units at the market price, without the
 * fee. It is positive for a purchase and negative for a sale.
 */
export const tradeFlowOf = ({ side, centsMinor, feeMinor }: FundTrade): number =>
  side === 'buy' ? centsMinor - feeMinor : -(centsMinor + feeMinor)

/** Returns the sum of a figure over all funds. */
export const sumOver = (figureOf: (fund: Fund) => number): number =>
  FUNDS.reduce((sum, fund) => sum + figureOf(fund), 0)
