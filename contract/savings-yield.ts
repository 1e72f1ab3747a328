import { roundedHalfUp } from '#contract/effective-rate.ts'

/** What 100% is in hundredths of a per cent. */
const BASE = 10_000n

/** The days of the months of a year of 365 days. */
const MONTHS = [31n, 28n, 31n, 30n, 31n, 30n, 31n, 31n, 30n, 31n, 30n, 31n]

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
