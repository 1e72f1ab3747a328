/** What the bank takes for a trade: hundredths of a per cent, and at least so many US cents. */
export type FeeTerms = { feeBps: number; feeLeastMinor: number }

/** The fee of a trade of so many US cents, rounded up to the cent. */
export function feeOf({ feeBps, feeLeastMinor }: FeeTerms, dollarsMinor: number): number {
  return Math.max(feeLeastMinor, Number((BigInt(dollarsMinor) * BigInt(feeBps) + 9_999n) / 10_000n))
}
