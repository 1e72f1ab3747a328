import { roundedHalfUp } from '#contract/effective-rate.ts'

/** What a loan can be, and what it costs. Amounts in US cents. */
export const LOAN_TERMS = {
  leastMinor: 1_000_00,
  mostMinor: 50_000_00,
  stepMinor: 500_00,
  usualMinor: 5_000_00,
  leastMonths: 6,
  mostMonths: 60,
  stepMonths: 6,
  usualMonths: 24,
  /** A year's rate, fixed, in hundredths of a per cent. */
  aprBps: 6_90,
  /** Days after its due date from which an unpaid instalment is late and costs a fee (docs/decisions/0306). */
  lateAfterDays: 10,
  /** The fee is a share of the missing amount, in hundredths of a per cent, up to a limit in US cents. */
  lateFeeBps: 5_00,
  lateFeeMostMinor: 15_00,
} as const

/** What a late instalment costs of which so much is missing, US cents: rounded down, and 0 below 20 cents. */
export const lateFeeOf = (missingMinor: number): number =>
  Math.min(LOAN_TERMS.lateFeeMostMinor, Math.floor((missingMinor * LOAN_TERMS.lateFeeBps) / 10_000))

/** The monthly instalment, the last one, their sum, and the interest in it. US cents. */
export type Repayments = {
  instalmentMinor: number
  lastInstalmentMinor: number
  totalMinor: number
  interestMinor: number
}

/**
 * The standard amortisation formula on the monthly rate, a twelfth of a year's: P * i * (1 + i)^n / ((1 + i)^n - 1). It is
 * worked out as a fraction, exactly; the instalment and n times the exact payment are each rounded half up to a cent, so
 * that the last instalment takes the cents that the others are off.
 */
export function repaymentsOf(principalMinor: number, months: number): Repayments {
  // (1 + i) is (base + aprBps) / base.
  const base = 12n * 10_000n
  const rate = BigInt(LOAN_TERMS.aprBps)
  const grown = (base + rate) ** BigInt(months)
  const paid = BigInt(principalMinor) * rate * grown
  const over = base * (grown - base ** BigInt(months))
  const totalMinor = roundedHalfUp(paid * BigInt(months), over)
  const instalmentMinor = roundedHalfUp(paid, over)
  const lastInstalmentMinor = totalMinor - instalmentMinor * (months - 1)
  return { instalmentMinor, lastInstalmentMinor, totalMinor, interestMinor: totalMinor - principalMinor }
}
