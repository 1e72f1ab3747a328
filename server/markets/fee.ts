/**
 * The terms of the bank's fee for a trade. `feeBps`: hundredths of a percent. `feeLeastMinor`: the smallest fee, in US cents.
 */
export type FeeTerms = { feeBps: number; feeLeastMinor: number }

/** Returns the fee of a trade of an amount in US cents, rounded up to the cent. */
export function feeOf({ feeBps, feeLeastMinor }: FeeTerms, dollarsMinor: number): number {
  return Math.max(feeLeastMinor, Number((BigInt(dollarsMinor) * BigInt(feeBps) + 9_999n) / 10_000n))
}
