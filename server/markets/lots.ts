import { proportionOf, type PositionTrade } from '#server/markets/average-cost.ts'

/** A trade with its id and time, from which tax lots are computed. */
export type DatedTrade = PositionTrade & { id: string; at: Date }

/** Units that were bought in one trade and sold in another; amounts are US cents. */
export type ClosedLot = {
  buyId: string
  boughtAt: Date
  sellId: string
  soldAt: Date
  unitsMinor: number
  costMinor: number
  proceedsMinor: number
}

/** The units of a purchase that are still held, and their cost in US cents. */
export type OpenLot = { buyId: string; boughtAt: Date; unitsMinor: number; costMinor: number }

/**
 * Matches each sale with the oldest purchases that are still held (first in, first out). Costs and proceeds are divided by
 * units and rounded down to the cent. The last part of a purchase or a sale takes the remainder, so the parts add up to the
 * exact amount paid or received. `trades` are in booking order. Throws RangeError for a sale of more than the holding.
 */
export function matchLots(trades: readonly DatedTrade[]): { closed: ClosedLot[]; open: OpenLot[] } {
  const closedLots: ClosedLot[] = []
  const openLots: OpenLot[] = []
  for (const trade of trades) {
    if (trade.side === 'sell') closedLots.push(...sell(openLots, trade))
    else if (trade.unitsMinor > 0) {
      openLots.push({ buyId: trade.id, boughtAt: trade.at, unitsMinor: trade.unitsMinor, costMinor: trade.centsMinor })
    }
  }
  return { closed: closedLots, open: openLots }
}

/** Removes the sold units from the oldest lots, and returns the closed lots. */
function sell(open: OpenLot[], { id: sellId, at: soldAt, unitsMinor, centsMinor }: DatedTrade): ClosedLot[] {
  const closedLots: ClosedLot[] = []
  let [unitsLeft, centsLeft] = [unitsMinor, centsMinor]
  while (unitsLeft > 0) {
    const [oldest] = open
    if (!oldest) throw new RangeError('More was sold than was held')
    const units = Math.min(unitsLeft, oldest.unitsMinor)
    const costMinor = proportionOf(oldest.costMinor, units, oldest.unitsMinor)
    const proceedsMinor = proportionOf(centsLeft, units, unitsLeft)
    const { buyId, boughtAt } = oldest
    closedLots.push({ buyId, boughtAt, sellId, soldAt, unitsMinor: units, costMinor, proceedsMinor })
    unitsLeft -= units
    centsLeft -= proceedsMinor
    oldest.unitsMinor -= units
    oldest.costMinor -= costMinor
    if (oldest.unitsMinor === 0) open.shift()
  }
  return closedLots
}
