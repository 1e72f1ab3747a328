import { daysBetween } from '#server/calendar/days.ts'
import { repaymentsOf } from '#contract/loan-terms.ts'
import type { LoanInstallment } from '#contract/loans.ts'
import { accrueLoanInterest, E12, type Remainder } from '#server/loans/terms/accrual.ts'

/** The terms of a loan, fixed on the day of its payout. */
export type LoanTerms = { amountMinor: number; aprBps: number; instalmentMinor: number; dailyRateE12: number }

/** The balances of a loan, and the day up to which interest is accrued. */
export type LoanBalance = {
  accruedTo: string
  remainder: Remainder
  principalMinor: number
  interestMinor: number
  feesMinor: number
}

/** An installment that is not fully paid. `paidMinor`: the part that is already paid, in US cents. */
export type Due = { number: number; dueOn: string; paidMinor: number }

/** The parts of a payment. */
export type PaymentSplit = { interestMinor: number; feesMinor: number; principalMinor: number }

/** Divides a payment: interest first, then fees, then the principal. */
export function splitPayment(amountMinor: number, owed: PaymentSplit): PaymentSplit {
  const interestMinor = Math.min(amountMinor, owed.interestMinor)
  const feesMinor = Math.min(amountMinor - interestMinor, owed.feesMinor)
  return { interestMinor, feesMinor, principalMinor: amountMinor - interestMinor - feesMinor }
}

export const splitTotal = ({ interestMinor, feesMinor, principalMinor }: PaymentSplit): number =>
  interestMinor + feesMinor + principalMinor

/** Returns the balances of a loan after a payment. */
export const balanceAfterPayment = (balance: LoanBalance, split: PaymentSplit): LoanBalance => ({
  ...balance,
  interestMinor: balance.interestMinor - split.interestMinor,
  feesMinor: balance.feesMinor - split.feesMinor,
  principalMinor: balance.principalMinor - split.principalMinor,
})

/** Returns the balances of a loan with interest accrued up to a day. A day in the past changes nothing. */
export function balanceOn(balance: LoanBalance, day: string, dailyRateE12: number): LoanBalance {
  const days = Math.max(0, daysBetween(balance.accruedTo, day))
  if (days === 0) return balance
  const { interestMinor, remainder } = accrueLoanInterest(
    { principalMinor: balance.principalMinor, dailyRateE12, days },
    balance.remainder,
  )
  return { ...balance, accruedTo: day, remainder, interestMinor: balance.interestMinor + interestMinor }
}

/**
 * Returns the amount of an installment on its day, in US cents. The last installment is the whole debt. No installment is more
 * than the debt.
 */
export function installmentOf(owedMinor: number, { paidMinor }: Due, isLast: boolean, instalmentMinor: number): number {
  return isLast ? owedMinor : Math.min(owedMinor, Math.max(0, instalmentMinor - paidMinor))
}

type Plan = Pick<LoanTerms, 'instalmentMinor' | 'dailyRateE12'> & { today: string }

/** Returns the remaining installments, provided that each is paid on its day. Overdue installments are paid today. */
export function scheduleOf(start: LoanBalance, dues: readonly Due[], plan: Plan): LoanInstallment[] {
  const installments: LoanInstallment[] = []
  let balance = start
  for (const [index, due] of dues.entries()) {
    balance = balanceOn(balance, due.dueOn, plan.dailyRateE12)
    const amountMinor = installmentOf(splitTotal(balance), due, index === dues.length - 1, plan.instalmentMinor)
    const split = splitPayment(amountMinor, balance)
    balance = balanceAfterPayment(balance, split)
    const { number, dueOn } = due
    if (amountMinor > 0) {
      const principalLeftMinor = balance.principalMinor
      installments.push({ number, dueOn, amountMinor, ...split, principalLeftMinor, overdue: dueOn < plan.today })
    }
    if (splitTotal(balance) === 0) break
  }
  return installments
}

/** Returns the installments of a loan before any payment. */
const wholeInstalments = (dueDays: readonly string[]): Due[] =>
  dueDays.map((dueOn, index) => ({ number: index + 1, dueOn, paidMinor: 0 }))

/** Returns the balances of a loan at its payout. */
export const balanceAtPayout = (amountMinor: number, day: string): LoanBalance => ({
  accruedTo: day,
  remainder: 0,
  principalMinor: amountMinor,
  interestMinor: 0,
  feesMinor: 0,
})

/** The repayment of a loan. `days`: the number of days in each period, which ends with an installment. */
type Periods = { amountMinor: number; instalmentMinor: number; days: readonly number[] }

/**
 * Returns the total interest of a loan that is repaid on time, in whole cents. The interest never falls when the daily rate
 * rises.
 */
function interestAt({ amountMinor, instalmentMinor, days }: Periods, rateE12: bigint): bigint {
  const [amount, installment] = [BigInt(amountMinor), BigInt(instalmentMinor)]
  let principal = amount
  let accrued = 0n
  for (const [index, length] of days.entries()) {
    accrued += principal * rateE12 * BigInt(length)
    principal = amount + accrued / E12 - installment * BigInt(index + 1)
  }
  return accrued / E12
}

/**
 * Returns the daily rate, in 10^-12, that gives the same total interest as the yearly rate. The yearly rate is applied by
 * months, and the daily rate by days (docs/loans.md). Throws RangeError if there is no such rate. All terms in
 * contract/loan-terms.ts have one (schedule.test.ts).
 */
function dailyRateOf(periods: Periods, interestMinor: number): number {
  const target = BigInt(interestMinor)
  // The search finds the lowest rate below 0.1% a day that gives at least this interest.
  let [low, high] = [0n, E12 / 1_000n]
  while (low < high) {
    const middle = (low + high) / 2n
    if (interestAt(periods, middle) < target) low = middle + 1n
    else high = middle
  }
  if (interestAt(periods, low) !== target) throw new RangeError('No daily rate gives this interest')
  return Number(low)
}

/** The terms of a loan with its total cost and its due days. */
export type LoanPlan = LoanTerms & { totalMinor: number; interestMinor: number; dues: Due[] }

/** Returns the terms of a loan that is paid out on a day, with the due days of its installments. */
export function loanPlanOf(
  { amountMinor, months, aprBps }: { amountMinor: number; months: number; aprBps: number },
  { disbursedOn, dueDays }: { disbursedOn: string; dueDays: readonly string[] },
): LoanPlan {
  const { instalmentMinor, totalMinor, interestMinor } = repaymentsOf(amountMinor, months)
  const days = dueDays.map((day, index) => daysBetween(dueDays[index - 1] ?? disbursedOn, day))
  const dailyRateE12 = dailyRateOf({ amountMinor, instalmentMinor, days }, interestMinor)
  return {
    amountMinor,
    aprBps,
    instalmentMinor,
    dailyRateE12,
    totalMinor,
    interestMinor,
    dues: wholeInstalments(dueDays),
  }
}
