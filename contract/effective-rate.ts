/** 100% in hundredths of a percent. All rates here are in hundredths of a percent. */
const BASE = 10_000n

/** Returns `dividend / divisor`, rounded half up. Neither may be negative. */
export function roundedHalfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/**
 * Returns the effective annual rate of a loan with monthly repayments and no cost besides interest: (1 + r/12)^12 - 1. The
 * European Union requires lenders to state this rate beside the nominal one (Directive 2008/48/EC, Annex I, with 12 equal
 * months).
 */
export function effectiveRateBps(nominalBps: number): number {
  const year = 12n * BASE
  return roundedHalfUp(((year + BigInt(nominalBps)) ** 12n - year ** 12n) * BASE, year ** 12n)
}
