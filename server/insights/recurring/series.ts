/** Payments to one payee that come again and again: by a calendar, for a steady amount. */
import type { RecurringInterval } from '#contract/analytics.ts'
import {
  bookedFor,
  dayOfMonth,
  type Grid,
  lastBusinessDay,
  monthNumberOf,
  type Placement,
  placed,
  slotAt,
  slotDay,
  weekdayOf,
  weekdayPlaces,
} from '#server/insights/recurring/grid.ts'

/** What was paid on a day, counted in days since 1970. */
export type Paid = { day: number; amountMinor: number }

/** `grid`: the calendar that it comes by. */
export type Series<One extends Paid = Paid> = {
  interval: RecurringInterval
  grid: Grid
  paid: One[]
  nextDay: number
  varies: boolean
}

type Rule = {
  interval: RecurringInterval
  /** How far apart payments are: in days, or in months. `perMonth`: how many come in a month. */
  days?: number
  months?: number
  perMonth?: number
  /** A payment is expected an interval after the one before. How far from that day it may come. */
  toleranceDays: number
  /** How far from the calendar payments may be, once enough of them are there, and while they are few. */
  spreadDays: number
  fewSpreadDays: number
  /** How many payments make a series, and how many are still few. */
  least: number
  few: number
  /** How long after the day on which it is expected a series has ended. */
  graceDays: number
  /** Whether the amount may differ each time, as that of a household's bills or of a wage by the hour. */
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

/** Amounts that differ by no more than this part are the same one. */
const SAME = 0.02
/** Fees of half a year or a year rise each time by up to this part. */
const RISES = 0.12
/** A price that rose or fell is still the same thing's up to this part. */
const SAME_THING = 0.4
/** How far a household's bills are from the middle one; those for heating are several times as high in winter, and rise from month to month. */
const VARIES = 0.35
const SEASONS = 3
/** How many bills show seasons. */
const SEASONS_LEAST = 8
/** A payee that was paid so many times, and on more than every so many days, is a shop where people go all the time. */
const MANY_PAYMENTS = 20
const OFTEN_DAYS = 2
/** How many of the latest payments tell on which day of the month they come: habits change. */
const LATEST = 8

type Candidate<One extends Paid> = { rule: Rule; chain: One[]; grid: Grid; offDays: number }

const daysBetween = (paid: readonly Paid[]): number => (paid.at(-1)?.day ?? 0) - (paid[0]?.day ?? 0)

/** Whether a payee is paid so often that nothing recurs there. */
export const isShop = (paid: readonly Paid[]): boolean =>
  paid.length > MANY_PAYMENTS && paid.length * OFTEN_DAYS > daysBetween(paid)

/** The series among the payments to a payee, oldest first, that have not ended by `today`. `mayVary`: its amounts may, as a bill's do. */
export function findSeries<One extends Paid>(paid: readonly One[], today: number, mayVary = true): Series<One>[] {
  if (paid.length < 2 || isShop(paid)) return []
  const found: Series<One>[] = []
  let left = [...paid]
  for (let best = bestOf(left, mayVary); best !== null; best = bestOf(left, mayVary)) {
    const { rule, chain, grid } = best
    const last = chain.at(-1)?.day ?? 0
    const nextDay = slotDay(grid, slotAt(grid, last) + 1)
    if (today <= nextDay + rule.graceDays)
      found.push({
        interval: rule.interval,
        grid,
        paid: chain,
        nextDay,
        varies: !isSteady(chain, left, changeOf(rule)),
      })
    left = left.filter((one) => !chain.includes(one))
  }
  return found
}

/** The series that explains most payments and, of several, comes closest to its calendar. */
function bestOf<One extends Paid>(paid: readonly One[], mayVary: boolean): Candidate<One> | null {
  let best: Candidate<One> | null = null
  for (const rule of RULES) {
    if (paid.length < rule.least) continue
    const covered = new Set<One>()
    for (const start of paid.keys()) {
      // What follows a payment of a chain is the rest of that chain.
      const first = paid[start]
      if (!first || covered.has(first)) continue
      const chain = chainFrom(paid, start, rule)
      for (const one of chain) covered.add(one)
      const candidate = seriesOf(chain, paid, { ...rule, mayVary: rule.mayVary && mayVary })
      if (candidate && (best === null || isBetter(candidate, best))) best = candidate
    }
  }
  return best
}

const isBetter = (one: Candidate<Paid>, other: Candidate<Paid>): boolean =>
  one.chain.length === other.chain.length ? one.offDays < other.offDays : one.chain.length > other.chain.length

const apart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b, 1)

/** The payments that follow one another at the interval, from one on; one of them may be missing. */
function chainFrom<One extends Paid>(paid: readonly One[], start: number, rule: Rule): One[] {
  const chain = paid.slice(start, start + 1)
  for (;;) {
    const next = follower(paid, chain, rule, 1) ?? (chain.length > 2 ? follower(paid, chain, rule, 2) : undefined)
    if (!next) return chain
    chain.push(next)
  }
}

/** The days on which a payment is expected after those of a chain, `times` intervals after its last. */
function expectedAfter(chain: readonly Paid[], { days, months = 1, perMonth = 1 }: Rule, times: number): number[] {
  const last = chain.at(-1)?.day ?? 0
  if (days !== undefined) return [last + days * times]
  if (perMonth === 1) return monthsAfter(last, months * times)
  // The second of a month is about two weeks after the first, whichever of them comes first here.
  if (chain.length === 1) return [last + 13, last + 15, last + 17]
  if (times > 1) return monthsAfter(last, 1)
  // A month after the one before; where that is missing, two months after the one before it.
  const before = chain.slice(-3, -1).flatMap(({ day }) => [...monthsAfter(day, 1), ...monthsAfter(day, 2)])
  return before.filter((day) => day > last + 10 && day < last + 21)
}

/** The same day of a later month, and its last days where the day is one of those. */
function monthsAfter(day: number, months: number): number[] {
  const month = monthNumberOf(day)
  const same = placed({ day: dayOfMonth(day), shift: 'none' }, month + months)
  const onWeekday = weekdayPlaces(day).map((place) => placed(place, month + months))
  if (day < lastBusinessDay(month)) return [same, ...onWeekday]
  return [same, ...onWeekday, lastBusinessDay(month + months), placed({ day: 31, shift: 'none' }, month + months)]
}

function follower<One extends Paid>(
  paid: readonly One[],
  chain: readonly One[],
  rule: Rule,
  times: number,
): One | undefined {
  const last = chain.at(-1)
  if (!last) return undefined
  const expected = expectedAfter(chain, rule, times)
  const latest = Math.max(...expected) + rule.toleranceDays
  const earliest = Math.min(...expected) - rule.toleranceDays
  let best: One | undefined
  let least = Number.POSITIVE_INFINITY
  for (let index = firstAfter(paid, Math.max(last.day, earliest - 1)); index < paid.length; index += 1) {
    const one = paid[index]
    if (!one || one.day > latest) break
    const other = apart(one.amountMinor, last.amountMinor)
    if (other > SAME_THING) continue
    const away = expected.reduce((nearest, day) => Math.min(nearest, Math.abs(one.day - day)), Infinity)
    if (away > rule.toleranceDays) continue
    const cost = other * 20 + away / rule.toleranceDays
    if (cost < least) [best, least] = [one, cost]
  }
  return best
}

/** The place of the first payment after a day, of payments in order. */
export function firstAfter<Day extends number | string>(paid: readonly { day: Day }[], day: Day): number {
  let [low, high] = [0, paid.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = paid[middle]
    if (one && one.day <= day) low = middle + 1
    else high = middle
  }
  return low
}

function seriesOf<One extends Paid>(chain: One[], all: readonly One[], rule: Rule): Candidate<One> | null {
  if (chain.length < rule.least || isByChance(chain, all, rule)) return null
  if (!isSteady(chain, all, changeOf(rule)) && !(rule.mayVary && chain.length > rule.few && isBill(chain, all)))
    return null
  const fitted = fit(chain, rule)
  return fitted && { rule, chain, ...fitted }
}

type Fitted = { grid: Grid; offDays: number }

/** The calendar that a chain keeps best, and how far from it its payments are, in days on average; null where it keeps none. */
function fit(chain: readonly Paid[], rule: Rule): Fitted | null {
  const most = chain.length > rule.few ? rule.spreadDays : rule.fewSpreadDays
  const grids = rule.days === undefined ? monthGrids(chain, rule) : [dayGrid(chain, rule.days)]
  const latest = chain.slice(-LATEST)
  let best: Fitted | null = null
  for (const grid of grids) {
    if (!isOneEach(grid, latest)) continue
    const off = latest.map(({ day }) => offOf(grid, day))
    const offDays = off.reduce((sum, days) => sum + days, 0) / off.length
    if (Math.max(...off) <= most && (best === null || offDays < best.offDays)) best = { grid, offDays }
    if (offDays === 0) break
  }
  return best ?? evenly(chain, rule)
}

/** How far a payment is from its slot, on which banks may have been closed. */
const offOf = (grid: Grid, day: number): number =>
  Math.min(...bookedFor(slotDay(grid, slotAt(grid, day))).map((due) => Math.abs(due - day)))

/** Whether each payment has a slot of its own. */
function isOneEach(grid: Grid, chain: readonly Paid[]): boolean {
  const slots = chain.map(({ day }) => slotAt(grid, day))
  return slots.every((slot, index) => index === 0 || slot > (slots[index - 1] ?? 0))
}

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0

function dayGrid(chain: readonly Paid[], every: number): Grid {
  const first = chain.at(-LATEST)?.day ?? chain[0]?.day ?? 0
  const phases = chain.slice(-LATEST).map(({ day }) => day - every * Math.round((day - first) / every))
  return { kind: 'days', every, anchor: middleOf(phases) }
}

const SHIFTS = ['none', 'next', 'previous'] as const

/** Each place of the month that the payments of a chain were at, and the last. */
function placesOf(chain: readonly Paid[]): Placement[] {
  const latest = chain.slice(-LATEST).map(({ day }) => day)
  const days = new Set([...latest.map(dayOfMonth), 31])
  return [...days].flatMap((day): Placement[] => SHIFTS.map((shift) => ({ day, shift }))).concat(sharedWeekday(latest))
}

/** How many payments on one weekday are no chance. */
const WEEKDAY_LEAST = 4

/** The second Wednesday, or the last Friday, of payments that all were on one. */
function sharedWeekday(days: readonly number[]): Placement[] {
  const [weekday = 0] = days.map(weekdayOf)
  if (days.length < WEEKDAY_LEAST || days.some((day) => weekdayOf(day) !== weekday)) return []
  return [1, 2, 3, 4, 5].map((nth) => ({ weekday, nth }))
}

function monthGrids(chain: readonly Paid[], { months = 1, perMonth = 1 }: Rule): Grid[] {
  const month = monthNumberOf(chain.at(-1)?.day ?? 0)
  if (perMonth === 1)
    // A day that was moved to the month before or after belongs to this one.
    return (months === 1 ? [month] : [month, month + 1, month - 1]).flatMap((at) =>
      placesOf(chain).map((place): Grid => ({ kind: 'months', every: months, month: at, places: [place] })),
    )
  const [odd, even] = [0, 1].map((rest) => chain.filter((_, index) => (chain.length - 1 - index) % 2 === rest))
  const halves = [odd ?? [], even ?? []].map((half) => usualPlaces(half))
  return (halves[0] ?? []).flatMap((one) =>
    (halves[1] ?? []).map((other): Grid => ({
      kind: 'months',
      every: 1,
      month,
      places: [one, other].toSorted((a, b) => placed(a, month) - placed(b, month)),
    })),
  )
}

/** The few places that half of the payments of a month keep best. */
function usualPlaces(half: readonly Paid[]): Placement[] {
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

/** Payments at one distance that is about a month or several: 'every 30 days' is monthly to most people. */
function evenly(chain: readonly Paid[], { months, perMonth = 1, few }: Rule): Fitted | null {
  if (months === undefined || perMonth > 1 || chain.length <= few) return null
  const gaps = chain.slice(1).map((one, index) => one.day - (chain[index]?.day ?? 0))
  if (Math.max(...gaps) - Math.min(...gaps) > 1) return null
  return { grid: { kind: 'days', every: middleOf(gaps), anchor: chain.at(-1)?.day ?? 0 }, offDays: 0.5 }
}

/** Whether a few payments that fit one another are no wonder, among so many at the payee. */
function isByChance(chain: readonly Paid[], all: readonly Paid[], { interval, few }: Rule): boolean {
  const others = within(chain, all).length - chain.length
  const isExact = chain.every(({ amountMinor }) => amountMinor === chain[0]?.amountMinor)
  if (chain.length > few) return !isExact && others > 3 * chain.length
  if (interval === 'yearly' || interval === 'half_yearly') return others > 1
  if (!isExact) return others > chain.length / 2
  // The same price on other days, too.
  const same = all.filter(({ amountMinor }) => amountMinor === chain[0]?.amountMinor)
  return (same.length - chain.length) * 2 >= chain.length
}

/** By how much an amount may differ from the one before without being a new price. */
const changeOf = ({ months = 0 }: Rule): number => (months >= 6 ? RISES : SAME)

/** Whether the amount stays, but for a new price now and then, and nothing else at the payee costs the same. */
function isSteady(chain: readonly Paid[], all: readonly Paid[], change = SAME): boolean {
  const changes = chain.filter((one, index) => {
    const before = chain[index - 1]
    return before !== undefined && apart(one.amountMinor, before.amountMinor) > change
  })
  if (changes.length > Math.max(1, Math.floor((chain.length - 1) / 4))) return false
  if (chain.length === 2 && changes.length > 0 && apart(chain[0]?.amountMinor ?? 0, chain[1]?.amountMinor ?? 0) > 0.25)
    return false
  const others = within(chain, all).filter(
    (other) => !chain.includes(other) && chain.some((one) => apart(one.amountMinor, other.amountMinor) <= SAME),
  )
  return others.length <= chain.length * 0.1
}

/** Whether it is a bill of about the same amount, and all there is between the customer and the payee. */
function isBill(chain: readonly Paid[], all: readonly Paid[]): boolean {
  const amounts = chain.map(({ amountMinor }) => amountMinor).toSorted((a, b) => a - b)
  const middle = amounts[Math.floor(amounts.length / 2)] ?? 0
  const isSeasonal =
    chain.length >= SEASONS_LEAST && amounts.every((minor) => minor < middle * SEASONS && minor * SEASONS > middle)
  if (!isSeasonal && amounts.some((minor) => Math.abs(minor - middle) > middle * VARIES)) return false
  return within(chain, all).length - chain.length <= chain.length * 0.1
}

const within = (chain: readonly Paid[], all: readonly Paid[]): Paid[] => {
  const [from, to] = [chain[0]?.day ?? 0, chain.at(-1)?.day ?? 0]
  return all.filter(({ day }) => day >= from && day <= to)
}
