import { addDays } from '#server/calendar/days.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Category, OWN_MOVES, SHOP_CATEGORIES } from '#contract/categories.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import type { RecurringInterval } from '#contract/analytics.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import { type DayPaid, paidSince, summedAccounts } from '#server/insights/history/history.ts'
import type { Grid } from '#server/insights/recurring/grid.ts'
import { findSeries, firstAfter, isShop, type Paid, type Series } from '#server/insights/recurring/series.ts'
import type { Deps } from '#server/platform/deps.ts'

type Reader = Pick<Deps, 'db' | 'clock'>

/** How far back payments are looked at: two of something yearly. */
const DAYS_BACK = 800

/** What a customer pays again and again, as the bank found it. Amounts are US cents. */
export type RecurringPayment = {
  /** As the last payment spells it. */
  payee: string
  category: Category
  /** The last payment's. */
  amountMinor: number
  interval: RecurringInterval
  /** Days of the bank's, YYYY-MM-DD. */
  lastOn: string
  nextOn: string
  /** What it cost before its price changed, and since when it costs what it does; left out where it never did. */
  previousAmountMinor?: number
  changedOn?: string
  /** Each payment is a little different, as that of a household's bill: no price. */
  varies: boolean
  /** The calendar that it comes by, and what was paid by it. */
  grid: Grid
  paid: readonly DayPaid[]
}

const numbers = new Map<string, number>()

/** A day counted since 1970. Asked of the same few hundred for each payment. */
export function numberOf(day: string): number {
  let number = numbers.get(day)
  if (number === undefined) {
    number = Math.round(Date.parse(day) / DAY_MS)
    numbers.set(day, number)
  }
  return number
}

export const dayNumbered = (number: number): string => addDays('1970-01-01', number)

/** What is looked through: the last two years and what they hold. */
export const lookedSince = (now: Date): string => addDays(dayOf(now), -DAYS_BACK)

/** What a customer pays again and again and has not stopped paying, the next first. */
export async function findRecurring(deps: Reader, customerId: string): Promise<RecurringPayment[]> {
  const now = deps.clock.businessNow()
  const accounts = await summedAccounts(deps, customerId)
  const days = await paidSince(deps.db, accounts, lookedSince(now))
  return recurringAmong(days, dayOf(now)).outgoing
}

/** What a customer pays again and again, each due on the day that its next payment is known to be, where one is. */
export async function recurringAhead(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'slices'>,
  customerId: string,
): Promise<RecurringPayment[]> {
  const [found, known] = await Promise.all([findRecurring(deps, customerId), upcomingPayments(deps, customerId)])
  return found
    .map((one) => ({ ...one, nextOn: known.find((other) => isSame(one, one.nextOn, other))?.dueOn ?? one.nextOn }))
    .toSorted(byNextDay)
}

/**
 * A known payment and a recurring one to the same payee are one payment if they are no more than so many days apart: less than half of the
 * interval.
 */
const SAME_WITHIN_DAYS: Record<RecurringInterval, number> = {
  weekly: 3,
  every_2_weeks: 6,
  twice_a_month: 6,
  every_4_weeks: 12,
  monthly: 12,
  every_2_months: 12,
  quarterly: 12,
  half_yearly: 12,
  yearly: 12,
}

/** Whether a payment that is known is the one of a series that is due on a day. */
export const isSame = (
  { payee, interval }: RecurringPayment,
  dueOn: string,
  known: { name: string; dueOn: string },
): boolean =>
  payee.toLowerCase() === known.name.toLowerCase() &&
  Math.abs(numberOf(dueOn) - numberOf(known.dueOn)) <= SAME_WITHIN_DAYS[interval]

const byNextDay = (a: RecurringPayment, b: RecurringPayment): number =>
  a.nextOn < b.nextOn ? -1 : a.nextOn > b.nextOn ? 1 : b.amountMinor - a.amountMinor

/** `lettersOf` for many payments to few payees. */
export function lettersOfMany(): (payee: string) => string {
  const known = new Map<string, string>()
  return (payee) => {
    const letters = known.get(payee) ?? lettersOf(payee)
    known.set(payee, letters)
    return letters
  }
}

/** Where people buy one thing and then another: only what costs the same each time recurs. */
const SHOPS: readonly (Category | '')[] = SHOP_CATEGORIES

type PaidOn = Paid & { of: DayPaid }

/** What was paid to each payee, and what came from each, oldest first. Names that differ in numbers and codes are one payee's. */
export type ByPayee = { outgoing: PaidOn[][]; incoming: PaidOn[][] }

export function byPayee(days: readonly DayPaid[]): ByPayee {
  const letters = lettersOfMany()
  const counted = days.filter(({ payee, category }) => payee !== '' && !OWN_MOVES.includes(category as Category))
  const groups = (amountOf: (day: DayPaid) => number): PaidOn[][] => {
    const paid = counted
      .filter((of) => amountOf(of) !== 0)
      .map((of): PaidOn => ({ day: numberOf(of.day), amountMinor: amountOf(of), of }))
    return [...Map.groupBy(paid, ({ of }) => letters(of.payee)).values()]
  }
  return { outgoing: groups(({ outMinor }) => outMinor), incoming: groups(({ inMinor }) => inMinor) }
}

type Recurring = { outgoing: RecurringPayment[]; incoming: RecurringPayment[] }

/** What is paid, and what comes in, again and again, found in what was paid by the day; as of `today`. */
export const recurringAmong = (days: readonly DayPaid[], today: string): Recurring =>
  recurringAsOf(byPayee(days), today)

/** The same, found in what was paid up to `today`: a forecast looks at one history as of several days. */
export function recurringAsOf({ outgoing, incoming }: ByPayee, today: string): Recurring {
  return { outgoing: series(outgoing, today), incoming: series(incoming, today) }
}

function series(groups: readonly PaidOn[][], today: string): RecurringPayment[] {
  const found = groups
    .map((group) => group.slice(0, firstAfter(group, numberOf(today))))
    // Most payments of a customer with very many.
    .filter((group) => !isShop(group))
    .map((group) => ({ group, series: seriesOf(group, today) }))
  const byName = found.flatMap((one) => one.series)
  const left = found.filter((one) => one.series.length === 0).map(({ group }) => group)
  return [...byName, ...byFirstWord(left, today)].map(toRecurring).toSorted(byNextDay)
}

const seriesOf = (group: readonly PaidOn[], today: string, mayVary = true): Series<PaidOn>[] => {
  const last = group.at(-1)?.of.category ?? ''
  return findSeries(group, numberOf(today), mayVary && !SHOPS.includes(last))
}

/** Payees that are paid no more often may be one whose name ends in letters that change. */
const SELDOM = 8
/** Shorter words begin the names of many payees. */
const FIRST_WORD_LEAST = 4

/** The series of payees whose names have nothing but their first word in common: for the same amount each time. */
function byFirstWord(groups: readonly (readonly PaidOn[])[], today: string): Series<PaidOn>[] {
  const seldom = groups.filter((group) => group.length <= SELDOM).flat()
  const first = (one: PaidOn): string => lettersOf(one.of.payee).split(' ')[0] ?? ''
  return [...Map.groupBy(seldom, first)]
    .filter(([word]) => word.length >= FIRST_WORD_LEAST)
    .flatMap(([, paid]) =>
      seriesOf(
        paid.toSorted((a, b) => a.day - b.day),
        today,
        false,
      ),
    )
}

function toRecurring({ paid, interval, nextDay, varies, grid }: Series<PaidOn>): RecurringPayment {
  const last = paid.at(-1)
  const amountMinor = last?.amountMinor ?? 0
  const before = paid.findLastIndex((one) => one.amountMinor !== amountMinor)
  const [previous, since] = [paid[before], paid[before + 1]]
  return {
    payee: last?.of.name ?? '',
    category: last === undefined || last.of.category === '' ? 'transfer' : last.of.category,
    amountMinor,
    interval,
    lastOn: dayNumbered(last?.day ?? 0),
    nextOn: dayNumbered(nextDay),
    ...(!varies &&
      previous &&
      since && { previousAmountMinor: previous.amountMinor, changedOn: dayNumbered(since.day) }),
    varies,
    grid,
    paid: paid.map(({ of }) => of),
  }
}
