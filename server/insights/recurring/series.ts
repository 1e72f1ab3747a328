/** Payments to one payee that come again and again: at a steady interval, for a steady amount. */
import { DAY_MS } from '#server/platform/days.ts'

export type RecurringInterval = 'weekly' | 'monthly' | 'yearly'

/** What was paid on a day, counted in days since 1970. */
export type Paid = { day: number; amountMinor: number }

export type Series = { interval: RecurringInterval; paid: Paid[]; nextDay: number; varies: boolean }

type Rule = {
  interval: RecurringInterval
  /** How far from the day on which it is expected a payment may come. */
  toleranceDays: number
  /** How far from the same day of each interval payments may come, once enough of them are there, and while they are few. */
  spreadDays: number
  fewSpreadDays: number
  /** How many payments make a series, and how many are still few. */
  least: number
  few: number
  /** How long after the day on which it is expected a series has ended. */
  graceDays: number
  /** Whether the amount may differ each time, as that of a household's bills. */
  mayVary: boolean
}

const RULES: readonly Rule[] = [
  {
    interval: 'weekly',
    toleranceDays: 2,
    spreadDays: 2,
    fewSpreadDays: 1,
    least: 4,
    few: 5,
    graceDays: 5,
    mayVary: false,
  },
  {
    interval: 'monthly',
    toleranceDays: 4,
    spreadDays: 3,
    fewSpreadDays: 2,
    least: 3,
    few: 3,
    graceDays: 10,
    mayVary: true,
  },
  {
    interval: 'yearly',
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
/** A price that rose or fell is still the same thing's up to this part. */
const SAME_THING = 0.4
/** How far a household's bills are from the middle one. */
const VARIES = 0.35
/** A payee that was paid so many times, and on more than every so many days, is a shop where people go all the time. */
const MANY_PAYMENTS = 20
const OFTEN_DAYS = 2

/** The day one interval after another: the same day of the next month, or its last. */
export function dayAfter(day: number, interval: RecurringInterval, times = 1): number {
  if (interval === 'weekly') return day + 7 * times
  const date = new Date(day * DAY_MS)
  const months = interval === 'monthly' ? times : 12 * times
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return Math.round(first.getTime() / DAY_MS) + Math.min(date.getUTCDate(), last) - 1
}

/** The series among the payments to a payee, oldest first, that have not ended by `today`. `mayVary`: its amounts may, as a bill's do. */
export function findSeries(paid: readonly Paid[], today: number, mayVary = true): Series[] {
  const days = (paid.at(-1)?.day ?? 0) - (paid[0]?.day ?? 0)
  if (paid.length < 2 || (paid.length > MANY_PAYMENTS && paid.length * OFTEN_DAYS > days)) return []
  const found: Series[] = []
  let left = [...paid]
  for (const rule of RULES) {
    for (let start = 0; start < left.length; start += 1) {
      const chain = chainFrom(left, start, rule)
      if (!isSeries(chain, left, { ...rule, mayVary: rule.mayVary && mayVary })) continue
      found.push({
        interval: rule.interval,
        paid: chain,
        nextDay: nextOf(chain, rule),
        varies: !isSteady(chain, left),
      })
      left = left.filter((one) => !chain.includes(one))
      start = -1
    }
  }
  return found.filter(({ interval, nextDay }) => {
    const rule = RULES.find((one) => one.interval === interval)
    return today <= nextDay + (rule?.graceDays ?? 0)
  })
}

const apart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b, 1)

/** The payments that follow one another at the interval, from one on; one of them may be missing. */
function chainFrom(paid: readonly Paid[], start: number, rule: Rule): Paid[] {
  const chain = paid.slice(start, start + 1)
  for (let last = chain[0]; last !== undefined;) {
    const next = follower(paid, last, rule, 1) ?? (chain.length > 2 ? follower(paid, last, rule, 2) : undefined)
    if (!next) break
    chain.push(next)
    last = next
  }
  return chain
}

function follower(
  paid: readonly Paid[],
  last: Paid,
  { interval, toleranceDays }: Rule,
  times: number,
): Paid | undefined {
  const expected = dayAfter(last.day, interval, times)
  let best: Paid | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of paid) {
    const away = Math.abs(one.day - expected)
    const other = apart(one.amountMinor, last.amountMinor)
    if (away > toleranceDays || other > SAME_THING || one.day <= last.day) continue
    const cost = other * 20 + away / toleranceDays
    if (cost < least) [best, least] = [one, cost]
  }
  return best
}

function isSeries(chain: readonly Paid[], all: readonly Paid[], rule: Rule): boolean {
  if (chain.length < rule.least || !isOnTime(chain, rule) || isByChance(chain, all, rule)) return false
  return isSteady(chain, all) || (rule.mayVary && chain.length > rule.few && isBill(chain, all))
}

/** Whether a few payments that fit one another are no wonder, among so many at the payee. */
function isByChance(chain: readonly Paid[], all: readonly Paid[], { interval, few }: Rule): boolean {
  if (chain.length > few) return false
  const others = within(chain, all).length - chain.length
  if (interval === 'yearly') return others > 1
  return others > 2 * chain.length && chain.some(({ amountMinor }) => amountMinor !== chain[0]?.amountMinor)
}

/** Whether the payments come on the same day of each interval, or at the same distance, but for days on which banks are closed. */
function isOnTime(chain: readonly Paid[], rule: Rule): boolean {
  const most = chain.length > rule.few ? rule.spreadDays : rule.fewSpreadDays
  const [first] = chain
  if (!first) return false
  const days = chain.map((one) => {
    // How far from the nearest day that is a whole number of intervals after the first.
    const about = { weekly: 7, monthly: 30.44, yearly: 365.25 }[rule.interval]
    return one.day - dayAfter(first.day, rule.interval, Math.round((one.day - first.day) / about))
  })
  if (Math.max(...days) - Math.min(...days) <= most + 1) return true
  const gaps = chain.slice(1).map((one, index) => one.day - (chain[index]?.day ?? 0))
  return chain.length > rule.few && Math.max(...gaps) - Math.min(...gaps) <= 1
}

/** Whether the amount stays, but for a new price now and then, and nothing else at the payee costs the same. */
function isSteady(chain: readonly Paid[], all: readonly Paid[]): boolean {
  const changes = chain.filter((one, index) => {
    const before = chain[index - 1]
    return before !== undefined && apart(one.amountMinor, before.amountMinor) > SAME
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
  if (amounts.some((minor) => Math.abs(minor - middle) > middle * VARIES)) return false
  return within(chain, all).length - chain.length <= chain.length * 0.1
}

const within = (chain: readonly Paid[], all: readonly Paid[]): Paid[] => {
  const [from, to] = [chain[0]?.day ?? 0, chain.at(-1)?.day ?? 0]
  return all.filter(({ day }) => day >= from && day <= to)
}

/** When the next payment is expected: on the day of the interval that most came on. */
function nextOf(chain: readonly Paid[], { interval }: Rule): number {
  const last = chain.at(-1)?.day ?? 0
  if (interval !== 'monthly') return dayAfter(last, interval)
  const days = chain.map(({ day }) => new Date(day * DAY_MS).getUTCDate()).toSorted((a, b) => a - b)
  const usual = days[Math.floor((days.length - 1) / 2)] ?? 1
  const next = dayAfter(last, interval)
  const date = new Date(next * DAY_MS)
  const end = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const moved = next + Math.min(usual, end) - date.getUTCDate()
  return Math.abs(moved - next) <= 4 ? moved : next
}
