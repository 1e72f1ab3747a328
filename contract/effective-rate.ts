/** What 100% is in hundredths of a per cent, as all rates here are. */
const BASE = 10_000n

/** `dividend / divisor`; no less than zero. */
export function roundedHalfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/**
 * The effective annual rate of a loan that is repaid monthly and costs nothing but interest: (1 + r/12)^12 - 1. It is the
 * rate that the European Union has lenders state beside the nominal one: Directive 2008/48/EC, Annex I, whose year has 12
 * equal months.
 */
export function effectiveRateBps(nominalBps: number): number {
  const year = 12n * BASE
  return roundedHalfUp(((year + BigInt(nominalBps)) ** 12n - year ** 12n) * BASE, year ** 12n)
}
