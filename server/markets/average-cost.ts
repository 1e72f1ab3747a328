/** One purchase or sale, as booked: minor units of the asset, and the US cents that were paid or received for them. */
export type Trade = { side: 'buy' | 'sell'; unitsMinor: number; centsMinor: number }

/** What somebody has of an asset, and what it cost them: US cents. */
export type Position = {
  unitsMinor: number
  /** What was paid for the units that are still held. */
  costMinor: number
  /** What all sales so far brought, less what had been paid for what was sold; below zero for a loss. */
  realisedMinor: number
}

export const NO_POSITION: Position = { unitsMinor: 0, costMinor: 0, realisedMinor: 0 }

/**
 * A position after one more trade. What is sold takes its share of the cost with it, rounded down to the cent: the
 * remainder stays with what is left, and the last unit sold takes all of it. Throws RangeError for a sale of more than
 * there is.
 */
export function afterTrade(position: Position, { side, unitsMinor, centsMinor }: Trade): Position {
  if (side === 'buy') {
    return {
      ...position,
      unitsMinor: position.unitsMinor + unitsMinor,
      costMinor: position.costMinor + centsMinor,
    }
  }
  if (unitsMinor > position.unitsMinor) throw new RangeError('More was sold than there was')
  const soldCostMinor = partOf(position.costMinor, unitsMinor, position.unitsMinor)
  return {
    unitsMinor: position.unitsMinor - unitsMinor,
    costMinor: position.costMinor - soldCostMinor,
    realisedMinor: position.realisedMinor + centsMinor - soldCostMinor,
  }
}

/** The position that trades leave, the oldest first. */
export function positionOf(trades: readonly Trade[]): Position {
  return trades.reduce(afterTrade, NO_POSITION)
}

/** `part` of `whole` shares of an amount, rounded down; all of it where the part is the whole. */
export function partOf(amountMinor: number, part: number, whole: number): number {
  return whole === 0 ? 0 : Number((BigInt(amountMinor) * BigInt(part)) / BigInt(whole))
}

/** What one whole coin or unit of a position cost on average, millionths of a US dollar, rounded down; null where there is none. */
export function averageCostMicros({ unitsMinor, costMinor }: Position, decimals: number): number | null {
  if (unitsMinor === 0) return null
  // 10^4 millionths make a cent.
  return Number((BigInt(costMinor) * 10n ** BigInt(decimals + 4)) / BigInt(unitsMinor))
}
