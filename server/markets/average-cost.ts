/**
 * A purchase or sale as booked. `unitsMinor` is in minor units of the asset; `centsMinor` is the amount paid or received, in US
 * cents.
 */
export type PositionTrade = { side: 'buy' | 'sell'; unitsMinor: number; centsMinor: number }

/** A holding of an asset and its cost, in US cents. */
export type AssetPosition = {
  unitsMinor: number
  /** The cost of the units that are still held, in US cents. */
  costMinor: number
  /**
   * The profit of all sales so far: their proceeds minus the cost of the units sold, in US cents. It is negative for a loss.
   */
  realisedMinor: number
}

export const NO_POSITION: AssetPosition = { unitsMinor: 0, costMinor: 0, realisedMinor: 0 }

/**
 * Returns a position after one more trade. A sale removes the sold units' share of the cost, rounded down to the cent. The
 * rounding difference stays in the cost of the units that are left, and is removed with the last unit. Throws RangeError for a
 * sale of more than the holding.
 */
export function afterTrade(position: AssetPosition, { side, unitsMinor, centsMinor }: PositionTrade): AssetPosition {
  if (side === 'buy') {
    return {
      ...position,
      unitsMinor: position.unitsMinor + unitsMinor,
      costMinor: position.costMinor + centsMinor,
    }
  }
  if (unitsMinor > position.unitsMinor) throw new RangeError('More was sold than was held')
  const soldCostMinor = proportionOf(position.costMinor, unitsMinor, position.unitsMinor)
  return {
    unitsMinor: position.unitsMinor - unitsMinor,
    costMinor: position.costMinor - soldCostMinor,
    realisedMinor: position.realisedMinor + centsMinor - soldCostMinor,
  }
}

/** Returns the position after a list of trades, the oldest first. */
export function positionOf(trades: readonly PositionTrade[]): AssetPosition {
  return trades.reduce(afterTrade, NO_POSITION)
}

/** Returns the amount times `part` divided by `whole`, rounded down. If `part` equals `whole`, it is the full amount. */
export function proportionOf(amountMinor: number, part: number, whole: number): number {
  return whole === 0 ? 0 : Number((BigInt(amountMinor) * BigInt(part)) / BigInt(whole))
}

/**
 * Returns the average cost of one whole coin or unit of a position, in millionths of a US dollar, rounded down. Returns null
 * for an empty position.
 */
export function averageCostMicros({ unitsMinor, costMinor }: AssetPosition, decimals: number): number | null {
  if (unitsMinor === 0) return null
  // One cent is 10^4 millionths of a dollar.
  return Number((BigInt(costMinor) * 10n ** BigInt(decimals + 4)) / BigInt(unitsMinor))
}
