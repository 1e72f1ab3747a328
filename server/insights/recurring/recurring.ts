import { type Category, OWN_MOVES, SHOP_CATEGORIES } from '#contract/categories.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import { type DayPaid, paidSince, summedAccounts } from '#server/insights/history/history.ts'
import { findSeries, type Paid, type RecurringInterval, type Series } from '#server/insights/recurring/series.ts'
import { DAY_MS, dayOf } from '#server/platform/days.ts'
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
}

export const numberOf = (day: string): number => Math.round(Date.parse(day) / DAY_MS)
export const dayNumbered = (number: number): string => dayOf(new Date(number * DAY_MS))

/** What is looked through: the last two years and what they hold. */
export const lookedSince = (now: Date): string => dayOf(new Date(now.getTime() - DAYS_BACK * DAY_MS))

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

/** A payment that is known stands for a recurring one to the same payee within so many days: of two weeks, for one. */
const SAME_WITHIN_DAYS: Record<RecurringInterval, number> = { weekly: 3, monthly: 12, yearly: 12 }

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

/** The letters of a name: what counts up in it, a month or a number, tells no payees apart. */
export function lettersOf(payee: string): string {
  const letters = payee
    .replace(/[\d#*._/-]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return letters === '' ? payee : letters
}

/** What is paid, and what comes in, again and again, found in what was paid by the day; as of `today`. */
export function recurringAmong(
  days: readonly DayPaid[],
  today: string,
): { outgoing: RecurringPayment[]; incoming: RecurringPayment[] } {
  const counted = days.filter(({ payee, category }) => payee !== '' && !OWN_MOVES.includes(category as Category))
  return {
    outgoing: series(counted, today, ({ outMinor }) => outMinor),
    incoming: series(counted, today, ({ inMinor }) => inMinor),
  }
}

/** Where people buy one thing and then another: only what costs the same each time recurs. */
const SHOPS: readonly (Category | '')[] = SHOP_CATEGORIES

type Group = { paid: Paid[]; last: DayPaid }

function series(days: readonly DayPaid[], today: string, amountOf: (day: DayPaid) => number): RecurringPayment[] {
  const groups = new Map<string, Group>()
  for (const one of days) {
    const amountMinor = amountOf(one)
    if (amountMinor === 0) continue
    const key = lettersOf(one.payee)
    const group = groups.get(key) ?? { paid: [], last: one }
    group.paid.push({ day: numberOf(one.day), amountMinor })
    group.last = one
    groups.set(key, group)
  }
  return [...groups.values()]
    .flatMap(({ paid, last }) =>
      findSeries(paid, numberOf(today), !SHOPS.includes(last.category)).map((found) => toRecurring(last, found)),
    )
    .toSorted(byNextDay)
}

function toRecurring({ name, category }: DayPaid, { paid, interval, nextDay, varies }: Series): RecurringPayment {
  const last = paid.at(-1) ?? { day: 0, amountMinor: 0 }
  const before = paid.findLastIndex(({ amountMinor }) => amountMinor !== last.amountMinor)
  const [previous, since] = [paid[before], paid[before + 1]]
  return {
    payee: name,
    category: category === '' ? 'transfer' : category,
    amountMinor: last.amountMinor,
    interval,
    lastOn: dayNumbered(last.day),
    nextOn: dayNumbered(nextDay),
    ...(!varies &&
      previous &&
      since && { previousAmountMinor: previous.amountMinor, changedOn: dayNumbered(since.day) }),
    varies,
  }
}
