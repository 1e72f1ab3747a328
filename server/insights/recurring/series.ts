/** Finds the recurring payments to one payee: they follow a calendar and have a steady amount. */
import type { RecurringInterval } from '#contract/analytics.ts'
import {
  bookingDaysOf,
  dayOfMonth,
  type Grid,
  lastBusinessDay,
  monthNumberOf,
  type Placement,
  placedOn,
  slotAt,
  slotDay,
  weekdayOf,
  weekdayPlaces,
} from '#server/insights/recurring/payment-calendar.ts'

/** A payment, with its day counted since 1970. */
export type DatedPayment = { day: number; amountMinor: number }

/** `grid` is the calendar of the series. */
export type Series<One extends DatedPayment = DatedPayment> = {
  interval: RecurringInterval
  grid: Grid
  paid: One[]
  nextDay: number
  varies: boolean
}

type Rule = {
  interval: RecurringInterval
  /** The distance between payments, in days or in months. `perMonth` is the number of payments in a month. */
  days?: number
  months?: number
  perMonth?: number
  /** The number of days by which a payment may differ from the day one interval after the previous payment. */
  toleranceDays: number
  /** The number of days by which payments may differ from the calendar, with enough payments and with few. */
  spreadDays: number
  fewSpreadDays: number
  /** The least number of payments in a series, and the number up to which they count as few. */
  least: number
  few: number
  /** The number of days after the expected day from which a series counts as ended. */
  graceDays: number
  /** Whether the amount may differ each time, as with utility bills or an hourly wage. */
  mayVary: boolean
}

const RULES: readonly Rule[] = [
  {
    interval: 'weekly',
    days: 7,
    toleranceDays: 2,
    spreadDays: 2,
    fewSpreadDays: 1,
    least: 4,
    few: 5,
    graceDays: 5,
    mayVary: true,
  },
  {
    interval: 'every_2_weeks',
    days: 14,
    toleranceDays: 3,
    spreadDays: 2,
    fewSpreadDays: 1,
    least: 4,
    few: 4,
    graceDays: 7,
    mayVary: true,
  },
  {
    interval: 'twice_a_month',
    months: 1,
    perMonth: 2,
    toleranceDays: 3,
    spreadDays: 3,
    fewSpreadDays: 2,
    least: 4,
    few: 4,
    graceDays: 7,
    mayVary: true,
  },
  {
    interval: 'every_4_weeks',
    days: 28,
    toleranceDays: 3,
    spreadDays: 2,
    fewSpreadDays: 1,
    least: 4,
    few: 4,
    graceDays: 10,
    mayVary: true,
  },
  {
    interval: 'monthly',
    months: 1,
    toleranceDays: 4,
    spreadDays: 3,
    fewSpreadDays: 2,
    least: 3,
    few: 3,
    graceDays: 10,
    mayVary: true,
  },
  {
    interval: 'every_2_months',
    months: 2,
    toleranceDays: 5,
    spreadDays: 4,
    fewSpreadDays: 2,
    least: 3,
    few: 3,
    graceDays: 12,
    mayVary: true,
  },
  {
    interval: 'quarterly',
    months: 3,
    toleranceDays: 5,
    spreadDays: 4,
    fewSpreadDays: 2,
    least: 3,
    few: 3,
    graceDays: 15,
    mayVary: true,
  },
  {
    interval: 'half_yearly',
    months: 6,
    toleranceDays: 6,
    spreadDays: 5,
    fewSpreadDays: 3,
    least: 3,
    few: 3,
    graceDays: 20,
    mayVary: false,
  },
  {
    interval: 'yearly',
    months: 12,
    toleranceDays: 6,
    spreadDays: 5,
    fewSpreadDays: 3,
    least: 2,
    few: 2,
    graceDays: 20,
    mayVary: false,
  },
]

/** The share by which amounts may differ and still count as equal. */
const SAME = 0.02
/** The largest share by which half-yearly and yearly fees rise each time. */
const RISES = 0.12
/** The largest share by which a price may change within one series. */
const SAME_THING = 0.4
/**
 * The largest deviation of utility bills from their median. Heating bills may differ more: in winter they are up to `SEASONS`
 * times the median, and in summer down to the median divided by `SEASONS`.
 */
const VARIES = 0.35
const SEASONS = 3
/** The least number of bills that show seasons. */
const MIN_SEASONS = 8
/**
 * A payee with more payments than this, and on average more than one every OFTEN_DAYS days, is a shop that people visit all the
 * time.
 */
const MANY_PAYMENTS = 20
const OFTEN_DAYS = 2
/** The number of latest payments that determine the day of the month, because habits change. */
const LATEST = 8

type Candidate<One extends DatedPayment> = { rule: Rule; chain: One[]; grid: Grid; offDays: number }

const daysBetween = (paid: readonly DatedPayment[]): number => (paid.at(-1)?.day ?? 0) - (paid[0]?.day ?? 0)

/** Returns whether a payee is paid so often that nothing recurs there. */
export const isShop = (paid: readonly DatedPayment[]): boolean =>
  paid.length > MANY_PAYMENTS && paid.length * OFTEN_DAYS > daysBetween(paid)

/**
 * Returns the series among the payments to a payee (oldest first) that have not ended by `today`. `mayVary` allows amounts to
 * vary, as those of bills do.
 */
export function findSeries<One extends DatedPayment>(
  payments: readonly One[],
  today: number,
  mayVary = true,
): Series<One>[] {
  if (payments.length < 2 || isShop(payments)) return []
  const series: Series<One>[] = []
  let remainingPayments = [...payments]
  for (let best = bestOf(remainingPayments, mayVary); best !== null; best = bestOf(remainingPayments, mayVary)) {
    const { rule, chain, grid } = best
    const last = chain.at(-1)?.day ?? 0
    const nextDay = slotDay(grid, slotAt(grid, last) + 1)
    if (today <= nextDay + rule.graceDays)
      series.push({
        interval: rule.interval,
        grid,
        paid: chain,
        nextDay,
        varies: !isSteady(chain, remainingPayments, changeOf(rule)),
      })
    remainingPayments = remainingPayments.filter((payment) => !chain.includes(payment))
  }
  return series
}

/** Returns the series with the most payments. Of several, it returns the one closest to its calendar. */
function bestOf<One extends DatedPayment>(payments: readonly One[], mayVary: boolean): Candidate<One> | null {
  let best: Candidate<One> | null = null
  for (const rule of RULES) {
    if (payments.length < rule.least) continue
    const covered = new Set<One>()
    for (const start of payments.keys()) {
      // A chain that starts within an earlier chain is only the rest of the earlier chain, so it is skipped.
      const first = payments[start]
      if (!first || covered.has(first)) continue
      const chain = chainFrom(payments, start, rule)
      for (const payment of chain) covered.add(payment)
      const candidate = seriesOf(chain, payments, { ...rule, mayVary: rule.mayVary && mayVary })
      if (candidate && (best === null || isBetter(candidate, best))) best = candidate
    }
  }
  return best
}

const isBetter = (one: Candidate<DatedPayment>, other: Candidate<DatedPayment>): boolean =>
  one.chain.length === other.chain.length ? one.offDays < other.offDays : one.chain.length > other.chain.length

const relativeDifference = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b, 1)

/**
 * Returns the chain of payments at the interval that begins with one payment. After the first three payments, a single payment
 * may be missing between two.
 */
function chainFrom<One extends DatedPayment>(payments: readonly One[], start: number, rule: Rule): One[] {
  const chain = payments.slice(start, start + 1)
  for (;;) {
    const next =
      follower(payments, chain, rule, 1) ?? (chain.length > 2 ? follower(payments, chain, rule, 2) : undefined)
    if (!next) return chain
    chain.push(next)
  }
}

/** Returns the days on which the next payment after a chain is expected, `times` intervals after its last one. */
function expectedAfter(
  chain: readonly DatedPayment[],
  { days, months = 1, perMonth = 1 }: Rule,
  times: number,
): number[] {
  const last = chain.at(-1)?.day ?? 0
  if (days !== undefined) return [last + days * times]
  if (perMonth === 1) return monthsAfter(last, months * times)
  // The second payment of a month comes about two weeks after the first. The chain may begin with either.
  if (chain.length === 1) return [last + 13, last + 15, last + 17]
  if (times > 1) return monthsAfter(last, 1)
  // A payment is expected a month after the last but one. If that one is missing, it is expected two months after the one
  // before.
  const before = chain.slice(-3, -1).flatMap(({ day }) => [...monthsAfter(day, 1), ...monthsAfter(day, 2)])
  return before.filter((day) => day > last + 10 && day < last + 21)
}

/**
 * Returns the days of a later month that correspond to a day: the same day of the month, and the same weekday, such as the
 * second Wednesday. If the day is its month's last business day or later, the later month's last days are included.
 */
function monthsAfter(day: number, months: number): number[] {
  const month = monthNumberOf(day)
  const sameDay = placedOn({ day: dayOfMonth(day), shift: 'none' }, month + months)
  const onWeekday = weekdayPlaces(day).map((place) => placedOn(place, month + months))
  if (day < lastBusinessDay(month)) return [sameDay, ...onWeekday]
  return [sameDay, ...onWeekday, lastBusinessDay(month + months), placedOn({ day: 31, shift: 'none' }, month + months)]
}

function follower<One extends DatedPayment>(
  payments: readonly One[],
  chain: readonly One[],
  rule: Rule,
  times: number,
): One | undefined {
  const last = chain.at(-1)
  if (!last) return undefined
  const expectedDays = expectedAfter(chain, rule, times)
  const latest = Math.max(...expectedDays) + rule.toleranceDays
  const earliest = Math.min(...expectedDays) - rule.toleranceDays
  let best: One | undefined
  let leastCost = Number.POSITIVE_INFINITY
  for (let index = firstAfter(payments, Math.max(last.day, earliest - 1)); index < payments.length; index += 1) {
    const payment = payments[index]
    if (!payment || payment.day > latest) break
    const amountDifference = relativeDifference(payment.amountMinor, last.amountMinor)
    if (amountDifference > SAME_THING) continue
    const daysAway = expectedDays.reduce((nearest, day) => Math.min(nearest, Math.abs(payment.day - day)), Infinity)
    if (daysAway > rule.toleranceDays) continue
    const cost = amountDifference * 20 + daysAway / rule.toleranceDays
    if (cost < leastCost) [best, leastCost] = [payment, cost]
  }
  return best
}

/** Returns the index of the first payment after a day among sorted payments. */
export function firstAfter<Day extends number | string>(payments: readonly { day: Day }[], day: Day): number {
  let [low, high] = [0, payments.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const payment = payments[middle]
    if (payment && payment.day <= day) low = middle + 1
    else high = middle
  }
  return low
}

function seriesOf<One extends DatedPayment>(chain: One[], payments: readonly One[], rule: Rule): Candidate<One> | null {
  if (chain.length < rule.least || isByChance(chain, payments, rule)) return null
  if (
    !isSteady(chain, payments, changeOf(rule)) &&
    !(rule.mayVary && chain.length > rule.few && isBill(chain, payments))
  )
    return null
  const fitted = fit(chain, rule)
  return fitted && { rule, chain, ...fitted }
}

type Fitted = { grid: Grid; offDays: number }

/**
 * Returns the calendar that fits a chain best, with the average deviation of its payments in days. Returns null if none fits.
 */
function fit(chain: readonly DatedPayment[], rule: Rule): Fitted | null {
  const maxSpreadDays = chain.length > rule.few ? rule.spreadDays : rule.fewSpreadDays
  const grids = rule.days === undefined ? monthGrids(chain, rule) : [dayGrid(chain, rule.days)]
  const latest = chain.slice(-LATEST)
  let best: Fitted | null = null
  for (const grid of grids) {
    if (!isOneEach(grid, latest)) continue
    const off = latest.map(({ day }) => offOf(grid, day))
    const offDays = off.reduce((sum, days) => sum + days, 0) / off.length
    if (Math.max(...off) <= maxSpreadDays && (best === null || offDays < best.offDays)) best = { grid, offDays }
    if (offDays === 0) break
  }
  return best ?? evenly(chain, rule)
}

/** Returns the deviation of a payment from its slot, taking closed banks into account. */
const offOf = (grid: Grid, day: number): number =>
  Math.min(...bookingDaysOf(slotDay(grid, slotAt(grid, day))).map((bookingDay) => Math.abs(bookingDay - day)))

/** Returns whether each payment has a slot of its own. */
function isOneEach(grid: Grid, chain: readonly DatedPayment[]): boolean {
  const slots = chain.map(({ day }) => slotAt(grid, day))
  return slots.every((slot, index) => index === 0 || slot > (slots[index - 1] ?? 0))
}

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0

function dayGrid(chain: readonly DatedPayment[], every: number): Grid {
  const first = chain.at(-LATEST)?.day ?? chain[0]?.day ?? 0
  const phases = chain.slice(-LATEST).map(({ day }) => day - every * Math.round((day - first) / every))
  return { kind: 'days', every, anchor: middleOf(phases) }
}

const SHIFTS = ['none', 'next', 'previous'] as const

/**
 * Returns the places in the month of a chain's latest payments, the last day of the month, and the places of a shared weekday.
 */
function placesOf(chain: readonly DatedPayment[]): Placement[] {
  const latest = chain.slice(-LATEST).map(({ day }) => day)
  const days = new Set([...latest.map(dayOfMonth), 31])
  return [...days].flatMap((day): Placement[] => SHIFTS.map((shift) => ({ day, shift }))).concat(sharedWeekday(latest))
}

/** The least number of payments on one weekday that is not a coincidence. */
const MIN_WEEKDAY = 4

/** Returns places such as the second Wednesday or the last Friday, if all payments were on one weekday. */
function sharedWeekday(days: readonly number[]): Placement[] {
  const [weekday = 0] = days.map(weekdayOf)
  if (days.length < MIN_WEEKDAY || days.some((day) => weekdayOf(day) !== weekday)) return []
  return [1, 2, 3, 4, 5].map((nth) => ({ weekday, nth }))
}

function monthGrids(chain: readonly DatedPayment[], { months = 1, perMonth = 1 }: Rule): Grid[] {
  const month = monthNumberOf(chain.at(-1)?.day ?? 0)
  if (perMonth === 1)
    // A payment day that was shifted into the month before or after still belongs to this month.
    return (months === 1 ? [month] : [month, month + 1, month - 1]).flatMap((gridMonth) =>
      placesOf(chain).map((place): Grid => ({ kind: 'months', every: months, month: gridMonth, places: [place] })),
    )
  const [oddPayments, evenPayments] = [0, 1].map((remainder) =>
    chain.filter((_, index) => (chain.length - 1 - index) % 2 === remainder),
  )
  const halves = [oddPayments ?? [], evenPayments ?? []].map((half) => usualPlaces(half))
  return (halves[0] ?? []).flatMap((payment) =>
    (halves[1] ?? []).map((other): Grid => ({
      kind: 'months',
      every: 1,
      month,
      places: [payment, other].toSorted((a, b) => placedOn(a, month) - placedOn(b, month)),
    })),
  )
}

/** Returns the three places in the month that best fit `half`, which has one of the two payments of each month. */
function usualPlaces(half: readonly DatedPayment[]): Placement[] {
  const off = (place: Placement) => {
    const grid: Grid = { kind: 'months', every: 1, month: monthNumberOf(half[0]?.day ?? 0), places: [place] }
    return half.reduce((sum, { day }) => sum + Math.abs(slotDay(grid, slotAt(grid, day)) - day), 0)
  }
  return placesOf(half)
    .map((place) => ({ place, off: off(place) }))
    .toSorted((a, b) => a.off - b.off)
    .slice(0, 3)
    .map(({ place }) => place)
}

/** Returns a calendar of equal distances of about one or more months. Most people call 'every 30 days' monthly. */
function evenly(chain: readonly DatedPayment[], { months, perMonth = 1, few }: Rule): Fitted | null {
  if (months === undefined || perMonth > 1 || chain.length <= few) return null
  const gaps = chain.slice(1).map((payment, index) => payment.day - (chain[index]?.day ?? 0))
  if (Math.max(...gaps) - Math.min(...gaps) > 1) return null
  return { grid: { kind: 'days', every: middleOf(gaps), anchor: chain.at(-1)?.day ?? 0 }, offDays: 0.5 }
}

/** Returns whether a few matching payments are likely a coincidence among the many payments to the payee. */
function isByChance(
  chain: readonly DatedPayment[],
  payments: readonly DatedPayment[],
  { interval, few }: Rule,
): boolean {
  const otherPayments = paymentsDuring(chain, payments).length - chain.length
  const isExact = chain.every(({ amountMinor }) => amountMinor === chain[0]?.amountMinor)
  if (chain.length > few) return !isExact && otherPayments > 3 * chain.length
  if (interval === 'yearly' || interval === 'half_yearly') return otherPayments > 1
  if (!isExact) return otherPayments > chain.length / 2
  // Compares the number of other payments of the same amount with the number of payments in the chain.
  const equalAmounts = payments.filter(({ amountMinor }) => amountMinor === chain[0]?.amountMinor)
  return (equalAmounts.length - chain.length) * 2 >= chain.length
}

/** Returns the share by which an amount may differ from the previous one without being a new price. */
const changeOf = ({ months = 0 }: Rule): number => (months >= 6 ? RISES : SAME)

/**
 * Returns whether the amount is constant, with an occasional new price, and hardly any other payment to the payee has the same
 * amount.
 */
function isSteady(chain: readonly DatedPayment[], payments: readonly DatedPayment[], change = SAME): boolean {
  const changes = chain.filter((payment, index) => {
    const before = chain[index - 1]
    return before !== undefined && relativeDifference(payment.amountMinor, before.amountMinor) > change
  })
  if (changes.length > Math.max(1, Math.floor((chain.length - 1) / 4))) return false
  if (
    chain.length === 2 &&
    changes.length > 0 &&
    relativeDifference(chain[0]?.amountMinor ?? 0, chain[1]?.amountMinor ?? 0) > 0.25
  )
    return false
  const otherPayments = paymentsDuring(chain, payments).filter(
    (other) =>
      !chain.includes(other) &&
      chain.some((payment) => relativeDifference(payment.amountMinor, other.amountMinor) <= SAME),
  )
  return otherPayments.length <= chain.length * 0.1
}

/**
 * Returns whether the payments are bills of about the same amount, or of seasonal amounts, and almost the only payments to the
 * payee.
 */
function isBill(chain: readonly DatedPayment[], payments: readonly DatedPayment[]): boolean {
  const amounts = chain.map(({ amountMinor }) => amountMinor).toSorted((a, b) => a - b)
  const middle = amounts[Math.floor(amounts.length / 2)] ?? 0
  const isSeasonal =
    chain.length >= MIN_SEASONS && amounts.every((minor) => minor < middle * SEASONS && minor * SEASONS > middle)
  if (!isSeasonal && amounts.some((minor) => Math.abs(minor - middle) > middle * VARIES)) return false
  return paymentsDuring(chain, payments).length - chain.length <= chain.length * 0.1
}

const paymentsDuring = (chain: readonly DatedPayment[], payments: readonly DatedPayment[]): DatedPayment[] => {
  const [firstDay, lastDay] = [chain[0]?.day ?? 0, chain.at(-1)?.day ?? 0]
  return payments.filter(({ day }) => day >= firstDay && day <= lastDay)
}
