import { roundedHalfUp } from '#contract/effective-rate.ts'

/**
 * The limits and the price of a loan. A customer chooses an amount from `leastMinor` to `mostMinor` in steps of `stepMinor`, in
 * US cents. The form starts with `usualMinor`. The fields for the number of months have the same meanings.
 */
export const LOAN_TERMS = {
  leastMinor: 1_000_00,
  mostMinor: 50_000_00,
  stepMinor: 500_00,
  usualMinor: 5_000_00,
  leastMonths: 6,
  mostMonths: 60,
  stepMonths: 6,
  usualMonths: 24,
  /** The fixed annual rate, in hundredths of a percent. */
  aprBps: 6_90,
  /** The number of days after which an unpaid installment is late and costs a fee (docs/decisions/0306). */
  lateAfterDays: 10,
  /**
   * The late fee, as a share of the unpaid amount in hundredths of a percent. The fee is at most `lateFeeMostMinor` US cents.
   */
  lateFeeBps: 5_00,
  lateFeeMostMinor: 15_00,
} as const

/**
 * Returns the late fee for an unpaid amount. Both are in US cents. The fee is rounded down and is therefore 0 for less than 20
 * cents.
 */
export const lateFeeOf = (missingMinor: number): number =>
  Math.min(LOAN_TERMS.lateFeeMostMinor, Math.floor((missingMinor * LOAN_TERMS.lateFeeBps) / 10_000))

/**
 * The repayments of a loan in US cents: the monthly installment, the last installment, the sum of all installments, and the
 * interest in that sum.
 */
export type Repayments = {
  instalmentMinor: number
  lastInstalmentMinor: number
  totalMinor: number
  interestMinor: number
}

/**
 * Returns the repayments of a loan. The exact installment is a fraction, which the standard amortization formula determines:
 *   P * i * (1 + i)^n / ((1 + i)^n - 1)
 * `P` is the principal, `n` is the number of months, and `i` is the monthly rate, a twelfth of the annual rate. The installment
 * is rounded half up to a cent, and so is the sum of n exact installments. The last installment is this sum less the other
 * installments.
 */
export function repaymentsOf(principalMinor: number, months: number): Repayments {
  // The factor (1 + i) equals (base + rate) / base.
  const base = 12n * 10_000n
  const rate = BigInt(LOAN_TERMS.aprBps)
  const growth = (base + rate) ** BigInt(months)
  const dividend = BigInt(principalMinor) * rate * growth
  const divisor = base * (growth - base ** BigInt(months))
  const totalMinor = roundedHalfUp(dividend * BigInt(months), divisor)
  const instalmentMinor = roundedHalfUp(dividend, divisor)
  const lastInstalmentMinor = totalMinor - instalmentMinor * (months - 1)
  return { instalmentMinor, lastInstalmentMinor, totalMinor, interestMinor: totalMinor - principalMinor }
}
