import { partOf, type Trade } from '#server/markets/average-cost.ts'

/** A trade with its time: what tax lots are made of. */
export type DatedTrade = Trade & { id: string; at: Date }

/** Some units that were bought in one trade and sold in another; US cents. */
export type ClosedLot = {
  buyId: string
  boughtAt: Date
  sellId: string
  soldAt: Date
  unitsMinor: number
  costMinor: number
  proceedsMinor: number
}

/** What of a purchase is still held, and what it cost; US cents. */
export type OpenLot = { buyId: string; boughtAt: Date; unitsMinor: number; costMinor: number }

/**
 * Matches each sale to the oldest purchases that are still held (first in, first out). Cost and proceeds are split by
 * units, rounded down to the cent; the last part of a purchase or a sale takes the remainder, so that the parts of each add
 * up to exactly what was paid or received. `trades` are in the order in which they were booked. Throws RangeError for a
 * sale of more than there is.
 */
export function matchLots(trades: readonly DatedTrade[]): { closed: ClosedLot[]; open: OpenLot[] } {
  const closed: ClosedLot[] = []
  const open: OpenLot[] = []
  for (const trade of trades) {
    if (trade.side === 'sell') closed.push(...sell(open, trade))
    else if (trade.unitsMinor > 0) {
      open.push({ buyId: trade.id, boughtAt: trade.at, unitsMinor: trade.unitsMinor, costMinor: trade.centsMinor })
    }
  }
  return { closed, open }
}

/** Takes what is sold off the oldest lots. */
function sell(open: OpenLot[], { id: sellId, at: soldAt, unitsMinor, centsMinor }: DatedTrade): ClosedLot[] {
  const closed: ClosedLot[] = []
  let [unitsLeft, centsLeft] = [unitsMinor, centsMinor]
  while (unitsLeft > 0) {
    const [oldest] = open
    if (!oldest) throw new RangeError('More was sold than there was')
    const units = Math.min(unitsLeft, oldest.unitsMinor)
    const costMinor = partOf(oldest.costMinor, units, oldest.unitsMinor)
    const proceedsMinor = partOf(centsLeft, units, unitsLeft)
    const { buyId, boughtAt } = oldest
    closed.push({ buyId, boughtAt, sellId, soldAt, unitsMinor: units, costMinor, proceedsMinor })
    unitsLeft -= units
    centsLeft -= proceedsMinor
    oldest.unitsMinor -= units
    oldest.costMinor -= costMinor
    if (oldest.unitsMinor === 0) open.shift()
  }
  return closed
}
