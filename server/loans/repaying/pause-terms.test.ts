import { addDays } from '#server/calendar/days.ts'
import { dueDays } from '#server/loans/terms/due-days.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { Loan } from '#server/loans/loan/loan.ts'
import { plannedPause } from '#server/loans/repaying/pause-terms.ts'
import {
  installmentOf,
  balanceAfterPayment,
  balanceAtPayout,
  loanPlanOf,
  splitPayment,
  balanceOn,
  splitTotal,
} from '#server/loans/terms/schedule.ts'
import { tries } from '../../../scripts/test-effort.ts'

/** A loan over time, with all payments on it. */
type Life = { loan: Loan; payments: { day: string; amountMinor: number }[] }

function paidOutOn(amountMinor: number, months: number, day: string): Life {
  const days = dueDays(day, months)
  const plan = loanPlanOf({ amountMinor, months, aprBps: LOAN_TERMS.aprBps }, { disbursedOn: day, dueDays: days })
  const row = {
    disbursed_on: day,
    paused_months: 0,
    instalment_minor: plan.instalmentMinor,
    daily_rate_e12: plan.dailyRateE12,
  } as Loan['row']
  const dues = plan.dues.map((due) => ({ ...due, shortSince: null, lateFee: false }))
  return { loan: { row, balance: balanceAtPayout(amountMinor, day), dues }, payments: [] }
}

function pay({ loan, payments }: Life, amountMinor: number, dues: Loan['dues']): Life {
  const balance = balanceAfterPayment(loan.balance, splitPayment(amountMinor, loan.balance))
  const payment = { day: loan.balance.accruedTo, amountMinor }
  return { loan: { ...loan, balance, dues: splitTotal(balance) === 0 ? [] : dues }, payments: [...payments, payment] }
}

/** Returns a loan at the start of a day: interest accrues daily, and each earlier installment is paid on its day. */
function livedTo(start: Life, day: string): Life {
  let life = start
  while (life.loan.balance.accruedTo < day) {
    const { row, balance, dues } = life.loan
    const [due] = dues
    if (!due) return life
    if (due.dueOn <= balance.accruedTo) {
      const amountMinor = installmentOf(splitTotal(balance), due, dues.length === 1, row.instalment_minor)
      life = pay(life, amountMinor, dues.slice(1))
      continue
    }
    const next = balanceOn(balance, addDays(balance.accruedTo, 1), row.daily_rate_e12)
    life = { ...life, loan: { ...life.loan, balance: next } }
  }
  return life
}

const toTheEnd = (life: Life): Life => livedTo(life, '2099-01-01')

const paidInAll = ({ payments }: Life): number => payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

function paused({ loan, payments }: Life, months: number) {
  const { dues, pausedMonths, terms } = plannedPause(loan, months)
  return { life: { loan: { ...loan, dues, row: { ...loan.row, paused_months: pausedMonths } }, payments }, terms }
}

/** An event in a loan's life: some days pass, then the loan is paid or paused. */
const event = fc.record({
  days: fc.integer({ min: 0, max: 420 }),
  what: fc.oneof(
    fc.record({ pause: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ shareOfOwed: fc.double({ min: 0, max: 0.6, noNaN: true }) }),
  ),
})

test('a pause costs the previewed amount, to the day and the cent, for any number of pauses', () => {
  const loans = fc.record({
    steps: fc.integer({ min: 0, max: 98 }),
    halfYears: fc.integer({ min: 1, max: 10 }),
    start: fc.integer({ min: 0, max: 1500 }),
    events: fc.array(event, { minLength: 1, maxLength: 5 }),
    months: fc.integer({ min: 1, max: 3 }),
  })
  fc.assert(
    fc.property(loans, ({ steps, halfYears, start, events, months }) => {
      let life = paidOutOn(1_000_00 + steps * 500_00, halfYears * 6, addDays('2026-01-01', start))
      for (const { days, what: action } of [...events, { days: 3, what: { pause: months } }]) {
        const lifeThen = livedTo(life, addDays(life.loan.balance.accruedTo, days))
        if (lifeThen.loan.dues.length === 0) return
        if ('shareOfOwed' in action) {
          life = pay(
            lifeThen,
            Math.max(1, Math.floor(splitTotal(lifeThen.loan.balance) * action.shareOfOwed)),
            lifeThen.loan.dues,
          )
          if (life.loan.dues.length === 0) return
          continue
        }
        const { life: after, terms } = paused(lifeThen, action.pause)
        const [with_, without] = [toTheEnd(after), toTheEnd(lifeThen)]
        expect(terms).toEqual({
          nextDueOn: with_.payments[lifeThen.payments.length]?.day,
          lastDueOn: with_.payments.at(-1)?.day,
          lastAmountMinor: with_.payments.at(-1)?.amountMinor,
          extraMinor: paidInAll(with_) - paidInAll(without),
        })
        expect(terms.extraMinor).toBeGreaterThanOrEqual(0)
        expect(splitTotal(with_.loan.balance)).toBe(0)
        life = after
      }
    }),
    { numRuns: tries(120) },
  )
})

test('three months at the beginning of $50,000 over 60 months cost over $1,200, and more than double the last payment', () => {
  const { terms } = paused(paidOutOn(50_000_00, 60, '2026-08-28'), 3)
  expect(terms).toEqual({
    nextDueOn: '2026-12-28',
    lastDueOn: '2031-11-28',
    lastAmountMinor: 2_194_64,
    extraMinor: 1_206_78,
  })
})
