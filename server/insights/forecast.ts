import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Category, isSpendingCategory, OWN_MOVES } from '#contract/categories.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import { type PayeeDayPayments, readPaymentsSince, summedAccounts } from '#server/insights/history/history.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import {
  type ByPayee,
  byPayee,
  dayNumbered,
  isSameRecurringPayment,
  lettersOfMany,
  searchStart,
  dayNumberOf,
  recurringAsOf,
  type RecurringPayment,
} from '#server/insights/recurring/recurring.ts'
import { slotsBetween } from '#server/insights/recurring/payment-calendar.ts'
import { firstAfter } from '#server/insights/recurring/series.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'

/** A payment that is expected by the end of the month. */
export type ExpectedPayment = {
  kind: 'income' | 'recurring' | KnownPayment['kind']
  /** The payee's name. For a known payment, the name from contract/upcoming.ts. */
  name: string
  /** In US cents; negative for an outgoing payment. */
  amountMinor: number
  dueOn: string
}

/** The forecast of a customer's current account at the end of the month. Amounts are US cents. */
export type BalanceForecast = {
  /** The month's last day. */
  onDate: string
  expectedBalanceMinor: number
  /** The income and the expenses that are expected until the end of the month. */
  incomeMinor: number
  outgoingMinor: number
  /** The part of the expenses that is daily spending and not a known or recurring payment. */
  everydayMinor: number
  expected: ExpectedPayment[]
  /**
   * The error in US cents that four of five such forecasts did not exceed, measured on the same day of past months. Null with
   * too few months.
   */
  errorMinor: number | null
  /** The number of months that were replayed. */
  replayedMonths: number
}

/** The number of days over which daily spending is averaged, and the least number of days of history that an average needs. */
const AVERAGED_DAYS = 90
const MIN_DAYS = 28
/** The number of days of history that a replayed month needs: three salaries, which establish a recurring one. */
const REPLAY_DAYS = 93
/** A recurring payment that is at most this many days late is still expected. A later one is not. */
const LATE_DAYS = 5
/** The number of past months to replay, the least number for a range, and the share of errors within the range. */
const REPLAYED_MONTHS = 6
const MIN_REPLAYED = 2
const HOLDS_IN = 0.8

/**
 * Forecasts the balance of a customer's current account at the end of this month. The forecast starts from the balance that the
 * customer sees and adds the expected payments. A virtual card has money of its own, so its payments are left out.
 */
export async function forecastMonth(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'slices'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<BalanceForecast> {
  const now = deps.clock.businessNow()
  const [accounts, upcoming] = await Promise.all([
    summedAccounts(deps, customer.id),
    upcomingPayments(deps, customer.id),
  ])
  const current = accounts.filter(({ id }) => id === customer.currentAccountId)
  const history = await readPaymentsSince(deps.db, current, searchStart(now))
  const upcomingUsd = upcoming.filter(({ asset }) => asset === 'USD')
  const recurringHistory = lookedThrough(history)
  const monthAhead = expectedFrom(recurringHistory, dayOf(now), lastDayOfMonth(now), upcomingUsd)
  const errors = replay(recurringHistory, now)
  const balanceMinor = current.reduce((sum, { availableMinor }) => sum + availableMinor, 0)
  return {
    onDate: lastDayOfMonth(now),
    expectedBalanceMinor: balanceMinor + monthAhead.incomeMinor - monthAhead.outgoingMinor,
    ...monthAhead,
    errorMinor: rangeOf(errors),
    replayedMonths: errors.length,
  }
}

type KnownPayment = Pick<UpcomingPayment, 'kind' | 'name' | 'amountMinor' | 'dueOn'>
type ExpectedMovements = Pick<BalanceForecast, 'incomeMinor' | 'outgoingMinor' | 'everydayMinor' | 'expected'>

/**
 * The payments, oldest first, and the same payments by payee. Grouping takes longest, so it is done once for all replayed days.
 */
type RecurringHistory = { history: readonly PayeeDayPayments[]; payees: ByPayee }
const lookedThrough = (history: readonly PayeeDayPayments[]): RecurringHistory => ({
  history,
  payees: byPayee(history),
})

/** Returns the part of a history after one day and up to another. */
const historyBetween = (history: readonly PayeeDayPayments[], after: string, until: string): PayeeDayPayments[] =>
  history.slice(firstAfter(history, after), firstAfter(history, until))

/** Returns the payments expected after `today` up to the day `until`, from the payments up to `today` and the known ones. */
export const expectedUntil = (
  history: readonly PayeeDayPayments[],
  today: string,
  until: string,
  payments: readonly KnownPayment[],
): ExpectedMovements => expectedFrom(lookedThrough(history), today, until, payments)

function expectedFrom(
  { history, payees }: RecurringHistory,
  today: string,
  until: string,
  payments: readonly KnownPayment[],
): ExpectedMovements {
  const { outgoing, incoming } = recurringAsOf(payees, today)
  const expectedPayments: ExpectedPayment[] = [
    ...incoming.flatMap((series) => datesOf(series, today, until).map((dueOn) => toExpected('income', series, dueOn))),
    ...payments
      .filter(({ dueOn }) => dueOn <= until)
      .map(({ kind, name, amountMinor, dueOn }) => ({ kind, name, amountMinor: -amountMinor, dueOn })),
    ...outgoing.flatMap((series) =>
      datesOf(series, today, until)
        .filter((dueOn) => !payments.some((other) => isSameRecurringPayment(series, dueOn, other)))
        .map((dueOn) => toExpected('recurring', series, dueOn)),
    ),
  ].toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0))
  const recurs = new Set(outgoing.flatMap(({ paid }) => paid))
  const names = payments.map(({ name }) => name)
  const everydayMinor =
    everyday(history, today, { recurs, known: names }) * Math.max(0, dayNumberOf(until) - dayNumberOf(today))
  const sum = (sign: 1 | -1) =>
    expectedPayments.reduce((total, { amountMinor }) => total + Math.max(0, sign * amountMinor), 0)
  return { incomeMinor: sum(1), outgoingMinor: sum(-1) + everydayMinor, everydayMinor, expected: expectedPayments }
}

const toExpected = (
  kind: 'income' | 'recurring',
  { payee, amountMinor }: RecurringPayment,
  dueOn: string,
): ExpectedPayment => ({
  kind,
  name: payee,
  amountMinor: kind === 'income' ? amountMinor : -amountMinor,
  dueOn,
})

/** Returns the days after `today` up to `until` on which a payment is due. A late payment is due on the next day. */
function datesOf({ nextOn, grid }: RecurringPayment, today: string, until: string): string[] {
  const [fromDay, toDay, nextDay] = [dayNumberOf(today), dayNumberOf(until), dayNumberOf(nextOn)]
  const isLate = nextDay <= fromDay && fromDay - nextDay <= LATE_DAYS && fromDay < toDay
  const dueSlots = slotsBetween(grid, Math.max(fromDay, nextDay - 1), toDay)
  return [...(isLate ? [fromDay + 1] : []), ...dueSlots].map(dayNumbered)
}

/**
 * Returns the average daily spending in whole cents. It leaves out recurring payments (`recurs`) and payees with `known`
 * payments. It also leaves out the bank's interest and fees, which have no payee and are part of the known installments.
 */
function everyday(
  history: readonly PayeeDayPayments[],
  today: string,
  { recurs, known }: { recurs: ReadonlySet<PayeeDayPayments>; known: readonly string[] },
): number {
  const names = new Set(['', ...known.map((payee) => lettersOf(payee.toLowerCase()))])
  const todayNumber = dayNumberOf(today)
  const first = history[0] ? dayNumberOf(history[0].day) : todayNumber
  const days = Math.min(AVERAGED_DAYS, todayNumber - first + 1)
  if (days < MIN_DAYS) return 0
  const letters = lettersOfMany()
  const spent = historyBetween(history, dayNumbered(todayNumber - days), today)
    .filter(
      (payment) => isSpendingCategory(payment.category) && !recurs.has(payment) && !names.has(letters(payment.payee)),
    )
    .reduce((sum, { inMinor, outMinor }) => sum + outMinor - inMinor, 0)
  return Math.max(0, Math.round(spent / days))
}

/**
 * Returns the errors of forecasts made on the same day of each past month, with the data of that day. The errors are absolute
 * values in US cents. Schedules and mandates of that day are not known, except through their earlier payments.
 */
export const replayErrors = (history: readonly PayeeDayPayments[], now: Date): number[] =>
  replay(lookedThrough(history), now)

function replay(recurringHistory: RecurringHistory, now: Date): number[] {
  const isCounted = ({ category }: PayeeDayPayments): boolean => !OWN_MOVES.includes(category as Category)
  const first = recurringHistory.history.find(isCounted)
  const errors: number[] = []
  for (let back = 1; back <= REPLAYED_MONTHS && first; back += 1) {
    const lastDay = lastDayOfMonth(now, -back)
    const day = Math.min(Number(dayOf(now).slice(8)), Number(lastDay.slice(8)))
    const today = `${lastDay.slice(0, 8)}${String(day).padStart(2, '0')}`
    if (dayNumberOf(today) - dayNumberOf(first.day) < REPLAY_DAYS) break
    const { incomeMinor, outgoingMinor } = expectedFrom(recurringHistory, today, lastDay, [])
    const actualMinor = historyBetween(recurringHistory.history, today, lastDay)
      .filter(isCounted)
      .reduce((sum, { inMinor, outMinor }) => sum + inMinor - outMinor, 0)
    errors.push(Math.abs(incomeMinor - outgoingMinor - actualMinor))
  }
  return errors
}

/**
 * Returns the error that four of five forecasts do not exceed, in US cents, or null with too few errors. The next error is
 * within the k-th smallest of n errors with probability k / (n + 1). With fewer than four errors the largest is scaled up.
 */
export function rangeOf(errors: readonly number[]): number | null {
  if (errors.length < MIN_REPLAYED) return null
  const sorted = errors.toSorted((a, b) => a - b)
  const rank = Math.ceil((sorted.length + 1) * HOLDS_IN)
  const largest = sorted.at(-1) ?? 0
  return rank <= sorted.length ? (sorted[rank - 1] ?? largest) : Math.round(largest * (rank / sorted.length))
}
