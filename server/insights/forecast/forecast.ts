import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Category, isSpendingCategory, OWN_MOVES } from '#contract/categories.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import { type DayPaid, paidSince, summedAccounts } from '#server/insights/history/history.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import {
  type ByPayee,
  byPayee,
  dayNumbered,
  isSame,
  lettersOfMany,
  lookedSince,
  numberOf,
  recurringAsOf,
  type RecurringPayment,
} from '#server/insights/recurring/recurring.ts'
import { slotsBetween } from '#server/insights/recurring/grid.ts'
import { firstAfter } from '#server/insights/recurring/series.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What is expected to come in or go out on a day until the end of the month. */
export type Expected = {
  kind: 'income' | 'recurring' | Known['kind']
  /** Of a payment that is known, as contract/upcoming.ts has it. */
  name: string
  /** US cents; below zero where it goes out. */
  amountMinor: number
  dueOn: string
}

/** What a customer's current account is expected to hold at the end of the month. Amounts are US cents. */
export type Forecast = {
  /** The month's last day. */
  onDate: string
  expectedBalanceMinor: number
  /** What is still to come in, and to go out, until then. */
  incomeMinor: number
  outgoingMinor: number
  /** What of it goes out day by day, and is no payment that anybody knows of. */
  everydayMinor: number
  expected: Expected[]
  /**
   * How far such a forecast, made on the same day of past months, was off in four of five of them; null where there are
   * too few months to tell.
   */
  errorMinor: number | null
  /** How many months were replayed. */
  replayedMonths: number
}

/** How many days what is spent day by day is averaged over, and of how many there has to be something. */
const AVERAGED_DAYS = 90
const LEAST_DAYS = 28
/** How many days a past month needs before it to be replayed: three salaries, which show that there is one. */
const REPLAY_DAYS = 93
/** A recurring payment that is this late is still to come; a later one is not counted on. */
const LATE_DAYS = 5
/** How many past months are replayed, and of how many the range has to hold. */
const REPLAYED_MONTHS = 6
const LEAST_REPLAYED = 2
const HOLDS_IN = 0.8

/**
 * What a customer's current account will hold at the end of this month: the balance that they see, and what is paid to and
 * from it. A virtual card has its own money, and what is paid with it changes nothing here.
 */
export async function forecastMonth(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'slices'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<Forecast> {
  const now = deps.clock.businessNow()
  const [accounts, upcoming] = await Promise.all([
    summedAccounts(deps, customer.id),
    upcomingPayments(deps, customer.id),
  ])
  const current = accounts.filter(({ id }) => id === customer.currentAccountId)
  const history = await paidSince(deps.db, current, lookedSince(now))
  const known = upcoming.filter(({ asset }) => asset === 'USD')
  const looked = lookedThrough(history)
  const ahead = expectedFrom(looked, dayOf(now), lastDayOfMonth(now), known)
  const errors = replay(looked, now)
  const balanceMinor = current.reduce((sum, { availableMinor }) => sum + availableMinor, 0)
  return {
    onDate: lastDayOfMonth(now),
    expectedBalanceMinor: balanceMinor + ahead.incomeMinor - ahead.outgoingMinor,
    ...ahead,
    errorMinor: rangeOf(errors),
    replayedMonths: errors.length,
  }
}

type Known = Pick<UpcomingPayment, 'kind' | 'name' | 'amountMinor' | 'dueOn'>
type Ahead = Pick<Forecast, 'incomeMinor' | 'outgoingMinor' | 'everydayMinor' | 'expected'>

/** What was paid, oldest first, and the same by payee, which takes longest and is done once for all days that are looked at. */
type Looked = { history: readonly DayPaid[]; payees: ByPayee }
const lookedThrough = (history: readonly DayPaid[]): Looked => ({ history, payees: byPayee(history) })

/** What of a history is after one day and up to another. */
const between = (history: readonly DayPaid[], after: string, until: string): DayPaid[] =>
  history.slice(firstAfter(history, after), firstAfter(history, until))

/** What is expected after `today` up to the day `until`, from what was paid up to `today` and what is known of. */
export const expectedUntil = (
  history: readonly DayPaid[],
  today: string,
  until: string,
  known: readonly Known[],
): Ahead => expectedFrom(lookedThrough(history), today, until, known)

function expectedFrom({ history, payees }: Looked, today: string, until: string, known: readonly Known[]): Ahead {
  const { outgoing, incoming } = recurringAsOf(payees, today)
  const expected: Expected[] = [
    ...incoming.flatMap((one) => datesOf(one, today, until).map((dueOn) => toExpected('income', one, dueOn))),
    ...known
      .filter(({ dueOn }) => dueOn <= until)
      .map(({ kind, name, amountMinor, dueOn }) => ({ kind, name, amountMinor: -amountMinor, dueOn })),
    ...outgoing.flatMap((one) =>
      datesOf(one, today, until)
        .filter((dueOn) => !known.some((other) => isSame(one, dueOn, other)))
        .map((dueOn) => toExpected('recurring', one, dueOn)),
    ),
  ].toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0))
  const recurs = new Set(outgoing.flatMap(({ paid }) => paid))
  const names = known.map(({ name }) => name)
  const everydayMinor =
    everyday(history, today, { recurs, known: names }) * Math.max(0, numberOf(until) - numberOf(today))
  const sum = (sign: 1 | -1) => expected.reduce((total, { amountMinor }) => total + Math.max(0, sign * amountMinor), 0)
  return { incomeMinor: sum(1), outgoingMinor: sum(-1) + everydayMinor, everydayMinor, expected }
}

const toExpected = (
  kind: 'income' | 'recurring',
  { payee, amountMinor }: RecurringPayment,
  dueOn: string,
): Expected => ({
  kind,
  name: payee,
  amountMinor: kind === 'income' ? amountMinor : -amountMinor,
  dueOn,
})

/** The days after `today` up to `until` on which it is due; one that is late is due on the next. */
function datesOf({ nextOn, grid }: RecurringPayment, today: string, until: string): string[] {
  const [from, to, next] = [numberOf(today), numberOf(until), numberOf(nextOn)]
  const isLate = next <= from && from - next <= LATE_DAYS && from < to
  const due = slotsBetween(grid, Math.max(from, next - 1), to)
  return [...(isLate ? [from + 1] : []), ...due].map(dayNumbered)
}

/**
 * The average spending of a day, whole cents. It leaves out what `recurs`, payees that are `known` by themselves, and the bank, whose interest
 * and fees have no payee and come with the instalments that are known.
 */
function everyday(
  history: readonly DayPaid[],
  today: string,
  { recurs, known }: { recurs: ReadonlySet<DayPaid>; known: readonly string[] },
): number {
  const names = new Set(['', ...known.map((payee) => lettersOf(payee.toLowerCase()))])
  const to = numberOf(today)
  const first = history[0] ? numberOf(history[0].day) : to
  const days = Math.min(AVERAGED_DAYS, to - first + 1)
  if (days < LEAST_DAYS) return 0
  const letters = lettersOfMany()
  const spent = between(history, dayNumbered(to - days), today)
    .filter((one) => isSpendingCategory(one.category) && !recurs.has(one) && !names.has(letters(one.payee)))
    .reduce((sum, { inMinor, outMinor }) => sum + outMinor - inMinor, 0)
  return Math.max(0, Math.round(spent / days))
}

/**
 * How far a forecast made on the same day of each past month, with what was known then, was off at its end: US cents, above
 * zero. Of schedules and mandates nothing is known but what was paid by them before.
 */
export const replayErrors = (history: readonly DayPaid[], now: Date): number[] => replay(lookedThrough(history), now)

function replay(looked: Looked, now: Date): number[] {
  const isCounted = ({ category }: DayPaid): boolean => !OWN_MOVES.includes(category as Category)
  const first = looked.history.find(isCounted)
  const errors: number[] = []
  for (let back = 1; back <= REPLAYED_MONTHS && first; back += 1) {
    const until = lastDayOfMonth(now, -back)
    const day = Math.min(Number(dayOf(now).slice(8)), Number(until.slice(8)))
    const today = `${until.slice(0, 8)}${String(day).padStart(2, '0')}`
    if (numberOf(today) - numberOf(first.day) < REPLAY_DAYS) break
    const { incomeMinor, outgoingMinor } = expectedFrom(looked, today, until, [])
    const actual = between(looked.history, today, until)
      .filter(isCounted)
      .reduce((sum, { inMinor, outMinor }) => sum + inMinor - outMinor, 0)
    errors.push(Math.abs(incomeMinor - outgoingMinor - actual))
  }
  return errors
}

/**
 * What four of five errors are within; null of too few. The next error is one more draw: of n errors, it is within the
 * largest n times of n + 1. Of fewer than four, a part is added.
 */
export function rangeOf(errors: readonly number[]): number | null {
  if (errors.length < LEAST_REPLAYED) return null
  const sorted = errors.toSorted((a, b) => a - b)
  const rank = Math.ceil((sorted.length + 1) * HOLDS_IN)
  const largest = sorted.at(-1) ?? 0
  return rank <= sorted.length ? (sorted[rank - 1] ?? largest) : Math.round(largest * (rank / sorted.length))
}
