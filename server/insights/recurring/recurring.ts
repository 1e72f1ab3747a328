import { addDays } from '#server/calendar/days.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Category, OWN_MOVES, SHOP_CATEGORIES } from '#contract/categories.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import type { RecurringInterval } from '#contract/analytics.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import { type PayeeDayPayments, readPaymentsSince, summedAccounts } from '#server/insights/history/history.ts'
import type { Grid } from '#server/insights/recurring/payment-calendar.ts'
import { findSeries, firstAfter, isShop, type DatedPayment, type Series } from '#server/insights/recurring/series.ts'
import type { Deps } from '#server/platform/deps.ts'

type Reader = Pick<Deps, 'db' | 'clock'>

/** The number of days of history. It covers two occurrences of a yearly payment. */
const DAYS_BACK = 800

/** A recurring payment that the bank has found. Amounts are US cents. */
export type RecurringPayment = {
  /** The payee in the spelling of the last payment. */
  payee: string
  category: Category
  /** The amount of the last payment. */
  amountMinor: number
  interval: RecurringInterval
  /** The business dates of the last and the next payment, YYYY-MM-DD. */
  lastOn: string
  nextOn: string
  /** The previous price, and the date of the first payment at the present price. Missing if the price has never changed. */
  previousAmountMinor?: number
  changedOn?: string
  /** Whether the amount differs each time, as on a utility bill, so that there is no price. */
  varies: boolean
  /** The payment's calendar, and its payments so far. */
  grid: Grid
  paid: readonly PayeeDayPayments[]
}

const numbers = new Map<string, number>()

/** Returns a day's number since 1970. The cache serves repeated look-ups of the same few hundred days. */
export function dayNumberOf(day: string): number {
  let number = numbers.get(day)
  if (number === undefined) {
    number = Math.round(Date.parse(day) / DAY_MS)
    numbers.set(day, number)
  }
  return number
}

export const dayNumbered = (number: number): string => addDays('1970-01-01', number)

/** Returns the first day of the history to search, DAYS_BACK days ago. */
export const searchStart = (now: Date): string => addDays(dayOf(now), -DAYS_BACK)

/** Returns a customer's active recurring payments, next due first. */
export async function findRecurring(deps: Reader, customerId: string): Promise<RecurringPayment[]> {
  const now = deps.clock.businessNow()
  const accounts = await summedAccounts(deps, customerId)
  const days = await readPaymentsSince(deps.db, accounts, searchStart(now))
  return recurringAmong(days, dayOf(now)).outgoing
}

/** Returns a customer's recurring payments. Where the date of the next payment is known, it replaces the expected date. */
export async function findUpcomingRecurring(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'slices'>,
  customerId: string,
): Promise<RecurringPayment[]> {
  const [recurring, payments] = await Promise.all([findRecurring(deps, customerId), upcomingPayments(deps, customerId)])
  return recurring
    .map((recurringPayment) => ({
      ...recurringPayment,
      nextOn:
        payments.find((upcomingPayment) =>
          isSameRecurringPayment(recurringPayment, recurringPayment.nextOn, upcomingPayment),
        )?.dueOn ?? recurringPayment.nextOn,
    }))
    .toSorted(byNextDay)
}

/**
 * The number of days within which a known payment and a recurring one to the same payee are one payment. It is less than half
 * of the interval.
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

/** Returns whether a known payment is the occurrence of a series that is due on a day. */
export const isSameRecurringPayment = (
  { payee, interval }: RecurringPayment,
  dueOn: string,
  payment: { name: string; dueOn: string },
): boolean =>
  payee.toLowerCase() === payment.name.toLowerCase() &&
  Math.abs(dayNumberOf(dueOn) - dayNumberOf(payment.dueOn)) <= SAME_WITHIN_DAYS[interval]

const byNextDay = (a: RecurringPayment, b: RecurringPayment): number =>
  a.nextOn < b.nextOn ? -1 : a.nextOn > b.nextOn ? 1 : b.amountMinor - a.amountMinor

/** Returns a cached `lettersOf` for many payments to few payees. */
export function lettersOfMany(): (payee: string) => string {
  const nameByLetters = new Map<string, string>()
  return (payee) => {
    const letters = nameByLetters.get(payee) ?? lettersOf(payee)
    nameByLetters.set(payee, letters)
    return letters
  }
}

/** Categories of shops where people buy different things. Only equal amounts recur there. */
const SHOPS: readonly (Category | '')[] = SHOP_CATEGORIES

type PaidOn = DatedPayment & { of: PayeeDayPayments }

/** The payments to each payee and from each payer, oldest first. Names that differ only in numbers and codes are one payee. */
export type ByPayee = { outgoing: PaidOn[][]; incoming: PaidOn[][] }

export function byPayee(days: readonly PayeeDayPayments[]): ByPayee {
  const letters = lettersOfMany()
  const countedDays = days.filter(({ payee, category }) => payee !== '' && !OWN_MOVES.includes(category as Category))
  const groups = (amountOf: (day: PayeeDayPayments) => number): PaidOn[][] => {
    const payments = countedDays
      .filter((payeeDay) => amountOf(payeeDay) !== 0)
      .map((payeeDay): PaidOn => ({ day: dayNumberOf(payeeDay.day), amountMinor: amountOf(payeeDay), of: payeeDay }))
    return [...Map.groupBy(payments, ({ of }) => letters(of.payee)).values()]
  }
  return { outgoing: groups(({ outMinor }) => outMinor), incoming: groups(({ inMinor }) => inMinor) }
}

type Recurring = { outgoing: RecurringPayment[]; incoming: RecurringPayment[] }

/** Finds the recurring payments and income among payments by day, as of `today`. */
export const recurringAmong = (days: readonly PayeeDayPayments[], today: string): Recurring =>
  recurringAsOf(byPayee(days), today)

/**
 * Finds the recurring payments and income among the payments up to `today`. A forecast calls it for several days of one
 * history.
 */
export function recurringAsOf({ outgoing, incoming }: ByPayee, today: string): Recurring {
  return { outgoing: series(outgoing, today), incoming: series(incoming, today) }
}

function series(groups: readonly PaidOn[][], today: string): RecurringPayment[] {
  const groupsAndSeries = groups
    .map((group) => group.slice(0, firstAfter(group, dayNumberOf(today))))
    // This filter removes the shops, which have most of the payments of a customer with very many payments.
    .filter((group) => !isShop(group))
    .map((group) => ({ group, series: seriesOf(group, today) }))
  const byName = groupsAndSeries.flatMap((result) => result.series)
  const groupsWithoutSeries = groupsAndSeries.filter((result) => result.series.length === 0).map(({ group }) => group)
  return [...byName, ...byFirstWord(groupsWithoutSeries, today)].map(toRecurring).toSorted(byNextDay)
}

const seriesOf = (group: readonly PaidOn[], today: string, mayVary = true): Series<PaidOn>[] => {
  const last = group.at(-1)?.of.category ?? ''
  return findSeries(group, dayNumberOf(today), mayVary && !SHOPS.includes(last))
}

/** The largest number of payments of a payee whose name may end in changing letters. */
const SELDOM = 8
/** The least length of a first word. Shorter words begin the names of many payees. */
const MIN_FIRST_WORD = 4

/** Finds series among payees whose names share only the first word. The amount must be the same each time. */
function byFirstWord(groups: readonly (readonly PaidOn[])[], today: string): Series<PaidOn>[] {
  const seldom = groups.filter((group) => group.length <= SELDOM).flat()
  const first = (payment: PaidOn): string => lettersOf(payment.of.payee).split(' ')[0] ?? ''
  return [...Map.groupBy(seldom, first)]
    .filter(([word]) => word.length >= MIN_FIRST_WORD)
    .flatMap(([, payments]) =>
      seriesOf(
        payments.toSorted((a, b) => a.day - b.day),
        today,
        false,
      ),
    )
}

function toRecurring({ paid: payments, interval, nextDay, varies, grid }: Series<PaidOn>): RecurringPayment {
  const last = payments.at(-1)
  const amountMinor = last?.amountMinor ?? 0
  const before = payments.findLastIndex((payment) => payment.amountMinor !== amountMinor)
  const [previous, changedPayment] = [payments[before], payments[before + 1]]
  return {
    payee: last?.of.name ?? '',
    category: last === undefined || last.of.category === '' ? 'transfer' : last.of.category,
    amountMinor,
    interval,
    lastOn: dayNumbered(last?.day ?? 0),
    nextOn: dayNumbered(nextDay),
    ...(!varies &&
      previous &&
      changedPayment && { previousAmountMinor: previous.amountMinor, changedOn: dayNumbered(changedPayment.day) }),
    varies,
    grid,
    paid: payments.map(({ of }) => of),
  }
}
