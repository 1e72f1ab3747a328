import { addDays } from '#server/calendar/days.ts'
import { dueDays } from '#server/loans/terms/due-days.ts'
import { expect, test } from 'vitest'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import {
  installmentOf,
  balanceAtPayout,
  loanPlanOf,
  balanceAfterPayment,
  scheduleOf,
  splitPayment,
  balanceOn,
  splitTotal,
} from '#server/loans/terms/schedule.ts'

const TERMS = Array.from({ length: 10 }, (_, index) => 6 * (index + 1))
const APR = { aprBps: LOAN_TERMS.aprBps }

/** Start days of loans: leap days, ends of months, and every day of some weeks around a New Year. */
const STARTS = [
  '2026-08-28',
  '2024-02-29',
  '2027-01-31',
  '2027-02-28',
  ...Array.from({ length: 8 }, (_, index) => addDays('2027-12-25', index)),
]

const planned = (amountMinor: number, months: number, start: string) =>
  loanPlanOf({ amountMinor, months, ...APR }, { disbursedOn: start, dueDays: dueDays(start, months) })

/**
 * Computes a loan that is repaid on time by an independent method. It adds each day's interest as a fraction of a cent, and
 * charges the whole cents when an installment is paid.
 */
function byHand(amountMinor: number, dailyRateE12: number, instalmentMinor: number, start: string, dues: string[]) {
  let [principal, fraction, unpaid, interest] = [BigInt(amountMinor), 0n, 0n, 0n]
  let day = start
  for (const [index, dueDay] of dues.entries()) {
    while (day < dueDay) {
      fraction += principal * BigInt(dailyRateE12)
      unpaid += fraction / 10n ** 12n
      fraction %= 10n ** 12n
      day = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    }
    const paid = index === dues.length - 1 ? principal + unpaid : BigInt(instalmentMinor)
    interest += unpaid
    principal -= paid - unpaid
    unpaid = 0n
  }
  return { interest: Number(interest), left: Number(principal) }
}

test('a loan repaid on time costs exactly the calculator’s amount, for any start date', () => {
  for (const start of STARTS) {
    for (const months of TERMS) {
      const amountMinor = LOAN_TERMS.leastMinor + (((Date.parse(start) / 86_400_000) * months * 7) % 99) * 500_00
      const plan = planned(amountMinor, months, start)
      const dues = plan.dues.map(({ dueOn }) => dueOn)
      const { interestMinor, totalMinor } = repaymentsOf(amountMinor, months)
      const expected = byHand(amountMinor, plan.dailyRateE12, plan.instalmentMinor, start, dues)
      expect([start, months, amountMinor, expected]).toEqual([
        start,
        months,
        amountMinor,
        { interest: interestMinor, left: 0 },
      ])
      const schedule = scheduleOf(balanceAtPayout(amountMinor, start), plan.dues, { ...plan, today: start })
      expect(schedule).toHaveLength(months)
      expect(schedule.reduce((sum, installment) => sum + installment.interestMinor, 0)).toBe(interestMinor)
      expect(schedule.reduce((sum, installment) => sum + installment.amountMinor, 0)).toBe(totalMinor)
      expect(schedule.at(-1)?.principalLeftMinor).toBe(0)
      expect(schedule.slice(0, -1).every(({ amountMinor: paid }) => paid === plan.instalmentMinor)).toBe(true)
    }
  }
})

test('every amount and term has a daily rate, near a 365th of the yearly rate', () => {
  for (const months of TERMS) {
    for (let amountMinor: number = LOAN_TERMS.leastMinor; amountMinor <= LOAN_TERMS.mostMinor; amountMinor += 500_00) {
      const { dailyRateE12 } = planned(amountMinor, months, '2026-08-28')
      expect(Math.abs(dailyRateE12 / ((0.069 / 365) * 1e12) - 1)).toBeLessThan(0.05)
    }
  }
})

/** Returns a generator of pseudo-random numbers, the same for the same seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

test('for any repayments and accruals, the accrued amount is the paid amount, down to zero', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const roll = dice(seed)
    const start = addDays('2026-01-01', roll(1500))
    const months = 6 * (1 + roll(10))
    const amountMinor = 1_000_00 + 500_00 * roll(99)
    const plan = planned(amountMinor, months, start)
    const pausedFrom = roll(months)
    const dues = plan.dues.map((due) => ({
      ...due,
      dueOn: due.number > pausedFrom ? addDays(due.dueOn, roll(3) * 30) : due.dueOn,
    }))
    const sorted = dues.toSorted((a, b) => a.number - b.number)
    let balance = balanceAtPayout(amountMinor, start)
    let coarse = balance
    let [accrued, paid] = [0, 0]
    for (const [index, due] of sorted.entries()) {
      const until = due.dueOn < balance.accruedTo ? balance.accruedTo : due.dueOn
      while (balance.accruedTo < until) {
        const next = addDays(balance.accruedTo, 1 + roll(9))
        const before = balance.interestMinor
        balance = balanceOn(balance, next < until ? next : until, plan.dailyRateE12)
        accrued += balance.interestMinor - before
        if (roll(20) > 0 || splitTotal(balance) < 2) continue
        // The extra payment is at least one cent and leaves at least one cent of debt.
        const extra = splitPayment(1 + roll(splitTotal(balance) - 1), balance)
        coarse = balanceAfterPayment(balanceOn(coarse, balance.accruedTo, plan.dailyRateE12), extra)
        balance = balanceAfterPayment(balance, extra)
        paid += extra.interestMinor
      }
      coarse = balanceOn(coarse, until, plan.dailyRateE12)
      expect(balance).toEqual(coarse)
      const amount = installmentOf(splitTotal(balance), due, index === sorted.length - 1, plan.instalmentMinor)
      const split = splitPayment(amount, balance)
      paid += split.interestMinor
      balance = balanceAfterPayment(balance, split)
      coarse = balanceAfterPayment(coarse, split)
      if (splitTotal(balance) === 0) break
    }
    expect([seed, splitTotal(balance), balance.principalMinor]).toEqual([seed, 0, 0])
    expect([seed, paid]).toEqual([seed, accrued])
  }
})
