import { roundedHalfUp } from '#contract/effective-rate.ts'

/** 100%, in hundredths of a percent. */
const BASE = 10_000n

/** The number of days of each month in a year of 365 days. */
const MONTHS = [31n, 28n, 31n, 30n, 31n, 30n, 31n, 31n, 30n, 31n, 30n, 31n]

/**
 * Returns the annual percentage yield of savings. Each day, the savings earn a 365th of the annual rate. The interest is paid
 * monthly. For a principal that stays unchanged for 365 days (Regulation DD, 12 CFR 1030, Appendix A, part I), the yield is
 *   100 * (interest / principal)
 * The result is the same for every first month.
 */
export function annualYieldBps(rateBps: number): number {
  const day = 365n * BASE
  const grownPrincipal = MONTHS.reduce((product, days) => product * (day + BigInt(rateBps) * days), 1n)
  const principal = day ** 12n
  return roundedHalfUp((grownPrincipal - principal) * BASE, principal)
}
