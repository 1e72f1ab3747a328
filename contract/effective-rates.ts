/** Rates are whole hundredths of a per cent a year. */
const BASE = 10_000n

/** The days of the months of a year of 365 days. */
const MONTHS = [31n, 28n, 31n, 30n, 31n, 30n, 31n, 31n, 30n, 31n, 30n, 31n]

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

/**
 * The annual percentage yield of savings that earn a 365th of the yearly rate each day and are paid it monthly:
 * 100 * (interest / principal) for what is left alone for 365 days (Regulation DD, 12 CFR 1030, Appendix A, part I). It is
 * the same whichever month is the first.
 */
export function annualYieldBps(rateBps: number): number {
  const day = 365n * BASE
  const grown = MONTHS.reduce((product, days) => product * (day + BigInt(rateBps) * days), 1n)
  const before = day ** 12n
  return roundedHalfUp((grown - before) * BASE, before)
}
