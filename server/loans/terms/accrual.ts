/**
 * The factor of daily rates and of remainders, which are stored in units of 10^-12. With this unit, daily interest needs no
 * rounding.
 */
export const E12 = 1_000_000_000_000n

/** The part of the accrued interest that is below one cent and is not charged yet, in 10^-12 cents. */
export type Remainder = number

/** The input of accrual: a number of days during which the principal stays the same. */
type Days = { principalMinor: number; dailyRateE12: number; days: number }

/**
 * Returns the interest for some days: whole cents to charge, and a remainder below one cent to carry forward. Accruing days one
 * by one or all at once gives the same result.
 */
export function accrueLoanInterest(
  { principalMinor, dailyRateE12, days }: Days,
  remainder: Remainder,
): { interestMinor: number; remainder: Remainder } {
  const accrued = BigInt(remainder) + BigInt(principalMinor) * BigInt(dailyRateE12) * BigInt(days)
  return { interestMinor: Number(accrued / E12), remainder: Number(accrued % E12) }
}
