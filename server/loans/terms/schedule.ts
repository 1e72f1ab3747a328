import { daysBetween } from '#server/calendar/days.ts'
import { repaymentsOf } from '#contract/loan-terms.ts'
import type { LoanInstalment } from '#contract/loans.ts'
import { accrue, E12, type Remainder } from '#server/loans/terms/accrual.ts'

/** What a loan is, from the day on which it is paid out. */
export type Terms = { amountMinor: number; aprBps: number; instalmentMinor: number; dailyRateE12: number }

/** Where a loan stands: what is owed, and up to which day interest is accrued. */
export type Standing = {
  accruedTo: string
  remainder: Remainder
  principalMinor: number
  interestMinor: number
  feesMinor: number
}

/** An instalment that is still to be paid. `paidMinor`: what has been paid of it already. */
export type Due = { number: number; dueOn: string; paidMinor: number }

/** What a payment pays. */
export type Split = { interestMinor: number; feesMinor: number; principalMinor: number }

/** How a payment is divided: interest first, then fees, then the principal. */
export function splitPayment(amountMinor: number, owed: Split): Split {
  const interestMinor = Math.min(amountMinor, owed.interestMinor)
  const feesMinor = Math.min(amountMinor - interestMinor, owed.feesMinor)
  return { interestMinor, feesMinor, principalMinor: amountMinor - interestMinor - feesMinor }
}

export const sumOf = ({ interestMinor, feesMinor, principalMinor }: Split): number =>
  interestMinor + feesMinor + principalMinor

/** Where a loan stands once so much of what is owed was paid. */
export const lessPaid = (standing: Standing, split: Split): Standing => ({
  ...standing,
  interestMinor: standing.interestMinor - split.interestMinor,
  feesMinor: standing.feesMinor - split.feesMinor,
  principalMinor: standing.principalMinor - split.principalMinor,
})

/** Where a loan stands once interest is accrued up to a day; as it is where that day is behind it. */
export function standingOn(standing: Standing, day: string, dailyRateE12: number): Standing {
  const days = Math.max(0, daysBetween(standing.accruedTo, day))
  if (days === 0) return standing
  const { interestMinor, remainder } = accrue(
    { principalMinor: standing.principalMinor, dailyRateE12, days },
    standing.remainder,
  )
  return { ...standing, accruedTo: day, remainder, interestMinor: standing.interestMinor + interestMinor }
}

/** What an instalment takes of what is owed on its day: the last one, and one that suffices, take all of it. */
export function instalmentOf(owedMinor: number, { paidMinor }: Due, isLast: boolean, instalmentMinor: number): number {
  return isLast ? owedMinor : Math.min(owedMinor, Math.max(0, instalmentMinor - paidMinor))
}

type Plan = Pick<Terms, 'instalmentMinor' | 'dailyRateE12'> & { today: string }

/** What is still to be paid and when, if all is paid on its day from now on; what is overdue is paid today. */
export function scheduleOf(start: Standing, dues: readonly Due[], plan: Plan): LoanInstalment[] {
  const instalments: LoanInstalment[] = []
  let standing = start
  for (const [index, due] of dues.entries()) {
    standing = standingOn(standing, due.dueOn, plan.dailyRateE12)
    const amountMinor = instalmentOf(sumOf(standing), due, index === dues.length - 1, plan.instalmentMinor)
    const split = splitPayment(amountMinor, standing)
    standing = lessPaid(standing, split)
    const { number, dueOn } = due
    if (amountMinor > 0) {
      const principalLeftMinor = standing.principalMinor
      instalments.push({ number, dueOn, amountMinor, ...split, principalLeftMinor, overdue: dueOn < plan.today })
    }
    if (sumOf(standing) === 0) break
  }
  return instalments
}

/** The instalments of a loan of which nothing has been paid. */
const wholeInstalments = (dueDays: readonly string[]): Due[] =>
  dueDays.map((dueOn, index) => ({ number: index + 1, dueOn, paidMinor: 0 }))

/** Where a loan stands when it is paid out. */
export const paidOut = (amountMinor: number, day: string): Standing => ({
  accruedTo: day,
  remainder: 0,
  principalMinor: amountMinor,
  interestMinor: 0,
  feesMinor: 0,
})

/** The days of the periods that end with an instalment. */
type Periods = { amountMinor: number; instalmentMinor: number; days: readonly number[] }

/** The interest of a loan that is repaid on time at a daily rate, whole cents. It never falls as the rate rises. */
function interestAt({ amountMinor, instalmentMinor, days }: Periods, rateE12: bigint): bigint {
  const [amount, instalment] = [BigInt(amountMinor), BigInt(instalmentMinor)]
  let principal = amount
  let accrued = 0n
  for (const [index, length] of days.entries()) {
    accrued += principal * rateE12 * BigInt(length)
    principal = amount + accrued / E12 - instalment * BigInt(index + 1)
  }
  return accrued / E12
}

/**
 * The daily rate, in 10^-12, at which interest that accrues daily between these very days comes to exactly what the
 * year's rate by months comes to (docs/loans.md). Throws where there is none, which no terms of contract/loan-terms.ts
 * have (schedule.test.ts).
 */
function dailyRateOf(periods: Periods, interestMinor: number): number {
  const wanted = BigInt(interestMinor)
  // The lowest rate that comes to no less: looked for below 0.1% a day.
  let [low, high] = [0n, E12 / 1_000n]
  while (low < high) {
    const middle = (low + high) / 2n
    if (interestAt(periods, middle) < wanted) low = middle + 1n
    else high = middle
  }
  if (interestAt(periods, low) !== wanted) throw new RangeError('No daily rate comes to this interest')
  return Number(low)
}

/** What a loan costs that is paid out on a day, and when. */
export type LoanPlan = Terms & { totalMinor: number; interestMinor: number; dues: Due[] }

/** The terms of a loan that is paid out on a day, with the days on which its instalments are due. */
export function planOf(
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
