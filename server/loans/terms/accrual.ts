/** Rates and remainders are counted in 10^-12, so that no day's interest is rounded. */
export const E12 = 1_000_000_000_000n

/** What interest has come to beyond the cents that were charged, in 10^-12 cents, below a cent. */
export type Remainder = number

/** Interest for some days on a principal that stays as it is meanwhile. */
type Days = { principalMinor: number; dailyRateE12: number; days: number }

/**
 * Interest that accrues: whole cents to be charged, and what is left below a cent, which is carried on. Whether days are
 * accrued one by one or many at once comes to the same.
 */
export function accrue(
  { principalMinor, dailyRateE12, days }: Days,
  remainder: Remainder,
): { interestMinor: number; remainder: Remainder } {
  const accrued = BigInt(remainder) + BigInt(principalMinor) * BigInt(dailyRateE12) * BigInt(days)
  return { interestMinor: Number(accrued / E12), remainder: Number(accrued % E12) }
}
