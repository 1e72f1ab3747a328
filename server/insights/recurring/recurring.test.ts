import { expect, test } from 'vitest'
import type { Category } from '#contract/categories.ts'
import type { DayPaid } from '#server/insights/history/history.ts'
import { dayNumbered, numberOf, recurringAmong } from '#server/insights/recurring/recurring.ts'
import { dayAfter, type RecurringInterval } from '#server/insights/recurring/series.ts'

const TODAY = '2026-08-28'
const today = numberOf(TODAY)

/** A random number from 0 up to 1, the same row of them for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Labelled = { days: DayPaid[]; recurring: RecurringInterval[] }
type Payment = { day: number; amountMinor: number; name?: string }

/** How payments to one payee are made up, and which of them come again and again. */
type Kind = { name: string; recurring: RecurringInterval[]; make: (random: Random) => Payment[] }
type Random = { whole: (from: number, to: number) => number; chance: (of: number) => boolean }

/** On the day itself, or the next on which banks are open: up to three days later. */
function shifted(day: number, random: Random): number {
  const weekday = new Date(day * 86_400_000).getUTCDay()
  const monday = weekday === 6 ? day + 2 : weekday === 0 ? day + 1 : day
  return monday + (monday !== day && random.chance(0.1) ? 1 : 0)
}

/** Days of an interval up to today, with the last of them due lately. */
function datesOf(random: Random, interval: RecurringInterval, times: number): number[] {
  const spans = { weekly: 6, monthly: 27, yearly: 300 }
  const last = today - random.whole(0, spans[interval])
  const first = dayAfter(last, interval, 1 - times)
  return Array.from({ length: times }, (_, index) => dayAfter(first, interval, index)).filter((day) => day <= today)
}

const fixed = (days: number[], amountMinor: number): Payment[] => days.map((day) => ({ day, amountMinor }))
const raised = (payments: Payment[], random: Random): Payment[] => {
  const from = random.whole(Math.ceil(payments.length / 2), payments.length - 1)
  const factor = 1 + random.whole(5, 30) / 100
  return payments.map((one, index) =>
    index < from ? one : { ...one, amountMinor: Math.round(one.amountMinor * factor) },
  )
}
const scattered = (random: Random, count: number, amountOf: () => number): Payment[] =>
  Array.from({ length: count }, () => ({ day: today - random.whole(0, 400), amountMinor: amountOf() }))

const KINDS: readonly Kind[] = [
  {
    name: 'subscription',
    recurring: ['monthly'],
    make: (random) => fixed(datesOf(random, 'monthly', random.whole(3, 14)), random.whole(300, 9_000)),
  },
  {
    name: 'collected on days on which banks are open',
    recurring: ['monthly'],
    make: (random) =>
      fixed(
        datesOf(random, 'monthly', random.whole(5, 14)).map((day) => shifted(day, random)),
        random.whole(1_000, 200_000),
      ).filter(({ day }) => day <= today),
  },
  {
    name: 'whose price rises',
    recurring: ['monthly'],
    make: (random) => raised(fixed(datesOf(random, 'monthly', random.whole(5, 14)), random.whole(500, 9_000)), random),
  },
  {
    name: 'a household bill',
    recurring: ['monthly'],
    make: (random) => {
      const usual = random.whole(4_000, 20_000)
      return datesOf(random, 'monthly', random.whole(6, 14)).map((day) => ({
        day,
        amountMinor: Math.round((usual * random.whole(82, 118)) / 100),
      }))
    },
  },
  {
    name: 'weekly',
    recurring: ['weekly'],
    make: (random) => fixed(datesOf(random, 'weekly', random.whole(6, 50)), random.whole(500, 8_000)),
  },
  {
    name: 'yearly',
    recurring: ['yearly'],
    make: (random) => raised(fixed(datesOf(random, 'yearly', 2), random.whole(2_000, 60_000)), random).slice(0, 2),
  },
  {
    name: 'every thirty days',
    recurring: ['monthly'],
    make: (random) => {
      const last = today - random.whole(0, 26)
      const count = random.whole(5, 12)
      return fixed(
        Array.from({ length: count }, (_, index) => last - 30 * (count - 1 - index)),
        random.whole(500, 4_000),
      )
    },
  },
  {
    name: 'paused for a month',
    recurring: ['monthly'],
    make: (random) => {
      const payments = fixed(datesOf(random, 'monthly', 10), random.whole(1_000, 6_000))
      return payments.filter((_, index) => index !== 5)
    },
  },
  {
    name: 'membership of a shop that is bought from as well',
    recurring: ['monthly'],
    make: (random) => [
      ...fixed(datesOf(random, 'monthly', random.whole(6, 12)), 1_499),
      ...scattered(random, 25, () => random.whole(1_600, 20_000)),
    ],
  },
  {
    name: 'with a number that counts up',
    recurring: ['monthly'],
    make: (random) =>
      fixed(datesOf(random, 'monthly', 8), random.whole(1_000, 9_000)).map((one, index) => ({
        ...one,
        name: `Invoice ${2_000 + index}`,
      })),
  },
  {
    name: 'two things at one payee',
    recurring: ['monthly', 'monthly'],
    make: (random) => [...fixed(datesOf(random, 'monthly', 8), 999), ...fixed(datesOf(random, 'monthly', 9), 2_499)],
  },
  // And what only looks like it.
  {
    name: 'groceries',
    recurring: [],
    make: (random) => scattered(random, random.whole(40, 140), () => random.whole(800, 14_000)),
  },
  {
    name: 'a coffee most days',
    recurring: [],
    make: (random) =>
      Array.from({ length: 200 }, (_, index) => index)
        .filter(() => random.chance(0.7))
        .map((index) => ({ day: today - index, amountMinor: 350 })),
  },
  {
    name: 'a fare on any day',
    recurring: [],
    make: (random) => scattered(random, random.whole(15, 90), () => 290),
  },
  {
    name: 'a restaurant about once a month',
    recurring: [],
    make: (random) =>
      Array.from({ length: 9 }, (_, index) => ({
        day: today - 30 * index - random.whole(0, 12),
        amountMinor: random.whole(2_000, 14_000),
      })),
  },
  {
    name: 'the same price at odd intervals',
    recurring: [],
    make: (random) => {
      let day = today - random.whole(0, 20)
      return Array.from({ length: 8 }, () => {
        const payment = { day, amountMinor: 1_500 }
        day -= random.whole(9, 75)
        return payment
      })
    },
  },
  {
    name: 'cancelled months ago',
    recurring: [],
    make: (random) =>
      fixed(
        datesOf(random, 'monthly', 12).map((day) => day - 95),
        random.whole(500, 5_000),
      ),
  },
  {
    name: 'twice, a month apart',
    recurring: [],
    make: (random) => fixed(datesOf(random, 'monthly', 2), random.whole(500, 50_000)),
  },
  {
    name: 'at a weekend, for any amount',
    recurring: [],
    make: (random) =>
      Array.from({ length: 30 }, (_, index) => ({
        day: today - 7 * index - random.whole(0, 1),
        amountMinor: random.whole(1_000, 12_000),
      })),
  },
  { name: 'once', recurring: [], make: (random) => scattered(random, 1, () => random.whole(100, 90_000)) },
]

/** Payments to payees, of which it is known which recur: `each` of every kind. */
function labelled(seed: number, each: number): Labelled[] {
  const next = randomOf(seed)
  const random: Random = {
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (of) => next() < of,
  }
  return KINDS.flatMap(({ name, recurring, make }) =>
    Array.from({ length: each }, (_, place) => {
      // Letters alone: numbers in a name tell no payees apart.
      const payee = `${name} ${String.fromCodePoint(0x61 + (place % 26), 0x61 + Math.floor(place / 26))}`
      const days = make(random).map((one): DayPaid => {
        const paidTo = one.name === undefined ? payee : `${payee} ${one.name}`
        return {
          day: dayNumbered(one.day),
          payee: paidTo,
          name: paidTo,
          category: 'bills' satisfies Category,
          payments: 1,
          inMinor: 0,
          outMinor: one.amountMinor,
        }
      })
      return { days, recurring }
    }),
  )
}

/** The least share of what is found that recurs, and of what recurs that is found. */
const PRECISION = 0.95
const RECALL = 0.95

test.each([1, 7, 42, 1_999, 20_260_828])('finds what recurs, and little else, in the payments of seed %i', (seed) => {
  let [hits, wrong, missed] = [0, 0, 0]
  const misses: string[] = []
  for (const { days, recurring } of labelled(seed, 25)) {
    const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
    const left = [...recurring]
    for (const { interval, payee } of recurringAmong(sorted, TODAY).outgoing) {
      const place = left.indexOf(interval)
      if (place < 0) {
        wrong += 1
        misses.push(`wrong: ${payee} ${interval}`)
      } else {
        hits += 1
        left.splice(place, 1)
      }
    }
    missed += left.length
    if (left.length > 0) misses.push(`missed: ${sorted[0]?.payee}`)
  }
  expect.soft(hits / (hits + wrong), misses.join('\n')).toBeGreaterThanOrEqual(PRECISION)
  expect.soft(hits / (hits + missed), misses.join('\n')).toBeGreaterThanOrEqual(RECALL)
})

test('says what it costs now, what it cost before, and when it comes next', () => {
  const paid = (day: string, outMinor: number): DayPaid => {
    const name = 'Streamly'
    return { day, payee: 'streamly', name, category: 'entertainment', payments: 1, inMinor: 0, outMinor }
  }
  const days = [paid('2026-05-14', 9_99), paid('2026-06-14', 9_99), paid('2026-07-14', 9_99), paid('2026-08-14', 11_99)]
  expect(recurringAmong(days, TODAY).outgoing).toEqual([
    {
      payee: 'Streamly',
      category: 'entertainment',
      amountMinor: 11_99,
      interval: 'monthly',
      lastOn: '2026-08-14',
      nextOn: '2026-09-14',
      previousAmountMinor: 9_99,
      changedOn: '2026-08-14',
      varies: false,
    },
  ])
  // It has stopped when it did not come for long enough.
  expect(recurringAmong(days, '2026-09-25').outgoing).toEqual([])
})

test('keeps the last day of the month', () => {
  expect(dayNumbered(dayAfter(numberOf('2026-01-31'), 'monthly'))).toBe('2026-02-28')
  expect(dayNumbered(dayAfter(numberOf('2026-01-31'), 'monthly', 2))).toBe('2026-03-31')
  expect(dayNumbered(dayAfter(numberOf('2028-02-29'), 'yearly'))).toBe('2029-02-28')
})
