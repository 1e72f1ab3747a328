import { expect, test } from 'vitest'
import type { RecurringInterval } from '#contract/analytics.ts'
import type { Category } from '#contract/categories.ts'
import type { PayeeDayPayments } from '#server/insights/history/history.ts'
import { dayNumbered, dayNumberOf, recurringAmong } from '#server/insights/recurring/recurring.ts'
import {
  lastBusinessDay,
  monthNumberOf,
  type Placement,
  placedOn,
} from '#server/insights/recurring/payment-calendar.ts'
import { randomOf } from '#server/test/random.ts'

const TODAY = '2026-08-28'
const today = dayNumberOf(TODAY)

const NOTHING = { category: 'shopping', inMinor: 0, outMinor: 0 } as const

type Labelled = { days: PayeeDayPayments[]; recurring: RecurringInterval[] }
type Payment = { day: number; amountMinor: number; name?: string }

/** A generator of payments to one payee, with the intervals that the search must find. */
type Kind = { name: string; recurring: RecurringInterval[]; make: (random: Random) => Payment[] }
type Random = { whole: (from: number, to: number) => number; chance: (of: number) => boolean }

/** Returns the day itself, or the next business day up to three days later. */
function shifted(day: number, random: Random): number {
  const weekday = new Date(day * 86_400_000).getUTCDay()
  const monday = weekday === 6 ? day + 2 : weekday === 0 ? day + 1 : day
  return monday + (monday !== day && random.chance(0.1) ? 1 : 0)
}

type Plain = 'weekly' | 'monthly' | 'yearly'

/** Returns the day after a number of intervals: the same day of a later month, or the month's last day. */
function dayAfter(day: number, interval: Plain, times = 1): number {
  if (interval === 'weekly') return day + 7 * times
  const date = new Date(day * 86_400_000).getUTCDate()
  return placedOn({ day: date, shift: 'none' }, monthNumberOf(day) + times * (interval === 'monthly' ? 1 : 12))
}

/** Returns the days of an interval up to today, with the last one recent. */
function datesOf(random: Random, interval: Plain, times: number): number[] {
  const spans = { weekly: 6, monthly: 27, yearly: 300 }
  const last = today - random.whole(0, spans[interval])
  const first = dayAfter(last, interval, 1 - times)
  return Array.from({ length: times }, (_, index) => dayAfter(first, interval, index)).filter((day) => day <= today)
}

const fixed = (days: number[], amountMinor: number): Payment[] => days.map((day) => ({ day, amountMinor }))
const raised = (payments: Payment[], random: Random): Payment[] => {
  const from = random.whole(Math.ceil(payments.length / 2), payments.length - 1)
  const factor = 1 + random.whole(5, 30) / 100
  return payments.map((payment, index) =>
    index < from ? payment : { ...payment, amountMinor: Math.round(payment.amountMinor * factor) },
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
      fixed(datesOf(random, 'monthly', 8), random.whole(1_000, 9_000)).map((payment, index) => ({
        ...payment,
        name: `Invoice ${2_000 + index}`,
      })),
  },
  {
    name: 'two things at one payee',
    recurring: ['monthly', 'monthly'],
    make: (random) => [...fixed(datesOf(random, 'monthly', 8), 999), ...fixed(datesOf(random, 'monthly', 9), 2_499)],
  },
  // The kinds that only look like recurring payments.
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
    name: 'canceled months ago',
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

/** Makes payments with labels that mark the recurring ones. There are `payeesPerKind` payees of every kind. */
function makeLabelled(seed: number, payeesPerKind: number): Labelled[] {
  const next = randomOf(seed)
  const random: Random = {
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (of) => next() < of,
  }
  return KINDS.flatMap(({ name, recurring, make }) =>
    Array.from({ length: payeesPerKind }, (_, place) => {
      // The names have only letters, because numbers in a name do not distinguish payees.
      const payee = `${name} ${String.fromCodePoint(0x61 + (place % 26), 0x61 + Math.floor(place / 26))}`
      const days = make(random).map((payment): PayeeDayPayments => {
        const paidTo = payment.name === undefined ? payee : `${payee} ${payment.name}`
        return {
          day: dayNumbered(payment.day),
          payee: paidTo,
          name: paidTo,
          category: 'bills' satisfies Category,
          inMinor: 0,
          outMinor: payment.amountMinor,
        }
      })
      return { days, recurring }
    }),
  )
}

/** The least share of found series that are real, and of real series that are found. */
const PRECISION = 0.97
const RECALL = 0.97

test.each([1, 7, 42, 1_999, 20_260_828])(
  'finds the recurring payments, and few others, among the payments of seed %i',
  (seed) => {
    let [hitCount, wrongCount, missedCount] = [0, 0, 0]
    const misses: string[] = []
    for (const { days, recurring } of makeLabelled(seed, 25)) {
      const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
      const unmatchedIntervals = [...recurring]
      for (const { interval, payee } of recurringAmong(sorted, TODAY).outgoing) {
        const place = unmatchedIntervals.indexOf(interval)
        if (place < 0) {
          wrongCount += 1
          misses.push(`wrong: ${payee} ${interval}`)
        } else {
          hitCount += 1
          unmatchedIntervals.splice(place, 1)
        }
      }
      missedCount += unmatchedIntervals.length
      if (unmatchedIntervals.length > 0) misses.push(`missed: ${sorted[0]?.payee}`)
    }
    expect.soft(hitCount / (hitCount + wrongCount), misses.join('\n')).toBeGreaterThanOrEqual(PRECISION)
    expect.soft(hitCount / (hitCount + missedCount), misses.join('\n')).toBeGreaterThanOrEqual(RECALL)
  },
)

test('shows the current price, the previous price, and the next date', () => {
  const paymentOn = (day: string, outMinor: number): PayeeDayPayments => {
    const name = 'Streamly'
    return { day, payee: 'streamly', name, category: 'entertainment', inMinor: 0, outMinor }
  }
  const days = [
    paymentOn('2026-05-14', 9_99),
    paymentOn('2026-06-14', 9_99),
    paymentOn('2026-07-14', 9_99),
    paymentOn('2026-08-14', 11_99),
  ]
  expect(recurringAmong(days, TODAY).outgoing).toMatchObject([
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
  // The series has ended because it has been overdue for too long.
  expect(recurringAmong(days, '2026-09-25').outgoing).toEqual([])
})

/** The calendars of the second set. Each makes its days backwards from the last day before today. */
type Calendar = {
  interval: RecurringInterval
  times: [number, number]
  dayOf: (random: Random) => (index: number) => number
}

const everyDays = (interval: RecurringInterval, days: number, times: [number, number]): Calendar => ({
  interval,
  times,
  dayOf: (random) => {
    const last = today - random.whole(0, days - 1)
    return (index) => last + days * index
  },
})
const everyMonths = (
  interval: RecurringInterval,
  months: number,
  { times, places }: { times: [number, number]; places: (random: Random) => Placement[] },
): Calendar => ({
  interval,
  times,
  dayOf: (random) => {
    const chosenPlaces = places(random)
    const month = monthNumberOf(today) - (months > 1 ? random.whole(0, months - 1) : 0)
    const dayAt = (index: number): number => {
      const place = chosenPlaces[((index % chosenPlaces.length) + chosenPlaces.length) % chosenPlaces.length] ?? {
        day: 1,
        shift: 'none',
      }
      return placedOn(place, month + months * Math.floor(index / chosenPlaces.length))
    }
    let last = 3
    while (dayAt(last) > today) last -= 1
    return (index) => dayAt(last + index)
  },
})
const monthlyDays = (random: Random): Placement[] => [{ day: random.whole(1, 31), shift: 'none' }]
const next = (random: Random): Placement[] => [{ day: random.whole(1, 28), shift: 'next' }]

const CALENDARS: readonly Calendar[] = [
  everyDays('weekly', 7, [8, 50]),
  everyDays('every_2_weeks', 14, [7, 30]),
  everyDays('every_4_weeks', 28, [6, 15]),
  everyMonths('twice_a_month', 1, {
    times: [10, 30],
    places: (random) => {
      const day = random.whole(1, 14)
      return [
        { day, shift: 'previous' },
        { day: day + 15, shift: 'previous' },
      ]
    },
  }),
  everyMonths('twice_a_month', 1, {
    times: [10, 30],
    places: () => [
      { day: 15, shift: 'previous' },
      { day: 31, shift: 'previous' },
    ],
  }),
  everyMonths('monthly', 1, { times: [5, 20], places: monthlyDays }),
  everyMonths('monthly', 1, { times: [6, 20], places: () => [{ day: 31, shift: 'none' }] }),
  everyMonths('monthly', 1, { times: [6, 20], places: () => [{ day: 31, shift: 'previous' }] }),
  everyMonths('monthly', 1, { times: [6, 20], places: next }),
  everyMonths('every_2_months', 2, { times: [4, 10], places: next }),
  everyMonths('quarterly', 3, { times: [4, 8], places: monthlyDays }),
  everyMonths('half_yearly', 6, { times: [3, 4], places: monthlyDays }),
  everyMonths('yearly', 12, { times: [2, 2], places: monthlyDays }),
]

type Habit = 'exact' | 'drift' | 'gap' | 'rise' | 'code' | 'income'
const HABITS: readonly Habit[] = ['exact', 'drift', 'gap', 'rise', 'code', 'income']

const CODE = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
const codeOf = (random: Random): string =>
  `${random.whole(10, 99)}${Array.from({ length: 6 }, () => CODE[random.whole(0, CODE.length - 1)]).join('')}`

type GeneratedHistory = {
  days: PayeeDayPayments[]
  expected: { interval: RecurringInterval; next: number; incoming: boolean }[]
}

/** Makes payments by a calendar with variations. If there are few payments, none is missing. */
function madeBy(
  calendar: Calendar,
  habit: Habit,
  { random, payee }: { random: Random; payee: string },
): GeneratedHistory {
  const dayAt = calendar.dayOf(random)
  const count = random.whole(...calendar.times)
  const indices = Array.from({ length: count }, (_, index) => index - count + 1)
  const amount = random.whole(500, 90_000)
  const risen = random.whole(1, Math.max(1, Math.floor(count / 2)))
  const missingIndex = habit === 'gap' && count >= 7 ? -3 : null
  const days = indices
    .filter((index) => index !== missingIndex)
    .map((index): PayeeDayPayments => {
      const late = habit === 'drift' && index < 0 && random.chance(0.4) ? 1 : 0
      const minor = habit === 'rise' && index > -risen ? Math.round(amount * 1.15) : amount
      const name = habit === 'code' ? `${payee} ${codeOf(random)}` : payee
      const [inMinor, outMinor] = habit === 'income' ? [minor, 0] : [0, minor]
      const category = habit === 'income' ? 'income' : 'bills'
      return {
        day: dayNumbered(dayAt(index) + late),
        payee: name.toLowerCase(),
        name,
        category,
        inMinor,
        outMinor,
      }
    })
  return { days, expected: [{ interval: calendar.interval, next: dayAt(1), incoming: habit === 'income' }] }
}

/** Makes payments to a payee without a series. */
function noise(kind: number, { random, payee }: { random: Random; payee: string }): PayeeDayPayments[] {
  const paymentOn = (day: number, outMinor: number): PayeeDayPayments => ({
    day: dayNumbered(day),
    payee: payee.toLowerCase(),
    name: payee,
    inMinor: 0,
    outMinor,
    category: kind === 3 ? 'transfer' : 'food',
  })
  const manyPayments = (count: number, amountOf: () => number) =>
    Array.from({ length: count }, () => paymentOn(today - random.whole(0, 400), amountOf()))
  if (kind === 0) return manyPayments(random.whole(3, 60), () => random.whole(300, 700))
  if (kind === 1) return manyPayments(random.whole(20, 90), () => random.whole(1_000, 15_000))
  if (kind === 2) return manyPayments(random.whole(5, 30), () => random.whole(3_000, 7_000))
  if (kind === 3) return manyPayments(random.whole(2, 10), () => random.whole(5, 40) * 500)
  return manyPayments(random.whole(1, 4), () => random.whole(500, 60_000))
}

function everyCalendar(seed: number): GeneratedHistory[] {
  const from = randomOf(seed)
  const random: Random = {
    whole: (low, high) => low + Math.floor(from() * (high - low + 1)),
    chance: (of) => from() < of,
  }
  // The names have only letters, and no name is the first word of another.
  const nameOf = (index: number) =>
    `${String.fromCodePoint(0x61 + (index % 26), 0x61 + (Math.floor(index / 26) % 26))}${'xyz'[Math.floor(index / 676)]}payee shop`
  let nameCount = 0
  const payee = () => nameOf((nameCount += 1))
  const single = CALENDARS.flatMap((calendar) =>
    HABITS.flatMap((habit) => [1, 2].map(() => madeBy(calendar, habit, { random, payee: payee() }))),
  )
  const pairs = CALENDARS.map((calendar, index): GeneratedHistory => {
    const name = payee()
    const otherCalendar = CALENDARS[(index + 5) % CALENDARS.length] ?? calendar
    const [firstPrice, secondPrice] = [
      madeBy(calendar, 'exact', { random, payee: name }),
      madeBy(otherCalendar, 'exact', { random, payee: name }),
    ]
    // Two prices at one payee, far apart. Two payments on one day count as one sum.
    const firstDays = firstPrice.days
      .map((day) => ({ ...day, outMinor: 999 }))
      .filter(({ day }) => !secondPrice.days.some((payment) => payment.day === day))
    return {
      days: [...firstDays, ...secondPrice.days.map((day) => ({ ...day, outMinor: 4_999 }))],
      expected: [...firstPrice.expected, ...secondPrice.expected],
    }
  })
  const otherHistories = Array.from({ length: 200 }, (_, index): GeneratedHistory => ({
    days: noise(index % 5, { random, payee: payee() }),
    expected: [],
  }))
  return [...single, ...pairs, ...otherHistories]
}

/** The tolerance in days. Within it, a business day and the day beside it cannot be distinguished. */
const NEAR_DAYS = 3

test.each([3, 11, 2_026, 99_991])(
  'finds each calendar, and its next day, among 200 payees of noise (seed %i)',
  (seed) => {
    let [hitCount, wrongCount, missedCount, onTimeCount] = [0, 0, 0, 0]
    const misses: string[] = []
    for (const { days, expected } of everyCalendar(seed)) {
      const { outgoing, incoming } = recurringAmong(
        days.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
        TODAY,
      )
      const unmatchedSeries = [...expected]
      for (const [series, isIncoming] of [
        ...outgoing.map((outgoingSeries) => [outgoingSeries, false] as const),
        ...incoming.map((incomingSeries) => [incomingSeries, true] as const),
      ]) {
        const place = unmatchedSeries.findIndex(
          ({ interval, incoming: comesIn }) => interval === series.interval && comesIn === isIncoming,
        )
        if (place < 0) {
          wrongCount += 1
          misses.push(
            `wrong: ${series.payee} ${series.interval} for ${expected.map(({ interval }) => interval).join()}: ${days.map(({ day }) => day).join(' ')}`,
          )
          continue
        }
        hitCount += 1
        const [matchedSeries] = unmatchedSeries.splice(place, 1)
        const isNear = Math.abs(dayNumberOf(series.nextOn) - (matchedSeries?.next ?? 0)) <= NEAR_DAYS
        if (isNear) onTimeCount += 1
        else
          misses.push(
            `next: ${series.payee} ${series.interval} ${series.nextOn} for ${dayNumbered(matchedSeries?.next ?? 0)}: ${days
              .slice(-6)
              .map(({ day }) => day)
              .join(' ')}`,
          )
      }
      missedCount += unmatchedSeries.length
      if (unmatchedSeries.length > 0)
        misses.push(
          `missed: ${unmatchedSeries.map(({ interval }) => interval).join()}: ${days.map(({ day, outMinor, inMinor }) => `${day}/${outMinor + inMinor}`).join(' ')}`,
        )
    }
    expect.soft(hitCount / (hitCount + wrongCount), misses.join('\n')).toBeGreaterThanOrEqual(0.97)
    expect.soft(hitCount / (hitCount + missedCount), misses.join('\n')).toBeGreaterThanOrEqual(0.97)
    expect.soft(onTimeCount / hitCount, misses.join('\n')).toBeGreaterThanOrEqual(0.97)
  },
)

const income = (days: readonly string[], amountMinor = 350_000): PayeeDayPayments[] =>
  days.map((day) => ({
    day,
    payee: 'acme',
    name: 'Acme',
    category: 'income',
    inMinor: amountMinor,
    outMinor: 0,
  }))

test('a salary on each last business day is expected on the next one', () => {
  const days = Array.from({ length: 8 }, (_, index) =>
    dayNumbered(lastBusinessDay(monthNumberOf(dayNumberOf('2026-09-01')) + index)),
  )
  const months = ['2026-06-28', '2026-07-28', '2026-08-28', ...days.slice(0, 7)]
  // 26 February and 31 March differ by five days of the month.
  expect(recurringAmong(income(months), '2027-04-03').incoming).toMatchObject([
    { interval: 'monthly', nextOn: '2027-04-30' },
  ])
})

test('28 days are four weeks, and a month is a month', () => {
  const every28 = Array.from({ length: 9 }, (_, index) => dayNumbered(dayNumberOf('2026-08-14') - 28 * (8 - index)))
  expect(recurringAmong(income(every28, 1_500), TODAY).incoming).toMatchObject([
    { interval: 'every_4_weeks', nextOn: '2026-09-11' },
  ])
})

test('codes of letters and digits, or of letters, do not separate the payments of one payee', () => {
  const codes = ['P432629721', 'AB12CD', 'QX77ZZ', 'M3N4', 'P500000001', '0815-03']
  const letters = ['XKQJW', 'PLMNB', 'QWZRT', 'YUHGF', 'VCXSD', 'TREWQ']
  for (const ends of [codes, letters]) {
    const days = ends.map((code, index): PayeeDayPayments => {
      const name = `NETFLIX ${code}`
      return { ...income([`2026-0${index + 3}-14`], 1_599)[0], name, payee: name.toLowerCase() } as PayeeDayPayments
    })
    expect(recurringAmong(days, TODAY).incoming).toMatchObject([{ interval: 'monthly', nextOn: '2026-09-14' }])
  }
})

test.each([
  ['the first Friday of the month', { weekday: 5, nth: 1 }, '2026-09-04'],
  ['the second Wednesday', { weekday: 3, nth: 2 }, '2026-09-09'],
  ['the last Monday', { weekday: 1, nth: 5 }, '2026-08-31'],
  ['the last Friday', { weekday: 5, nth: 5 }, '2026-09-25'],
])('%s is a possible day of recurring payments', (_what, place, nextOn) => {
  const month = monthNumberOf(today)
  const days = Array.from({ length: 12 }, (_, index) => placedOn(place, month + index - 11))
    .filter((day) => day <= today)
    .map((day): PayeeDayPayments => ({
      ...NOTHING,
      day: dayNumbered(day),
      payee: 'club',
      name: 'Club',
      outMinor: 59_00,
    }))
  expect(recurringAmong(days, TODAY).outgoing).toMatchObject([{ interval: 'monthly', nextOn }])
})

test('a heating bill is monthly, and costs three times as much in winter', () => {
  const amounts = [54_10, 49_80, 61_20, 87_40, 122_60, 151_05, 118_70, 90_20, 66_35, 54_80, 52_10, 57_30]
  const days = amounts.map((outMinor, index): PayeeDayPayments => {
    const day = placedOn({ day: 23, shift: 'none' }, monthNumberOf(today) + index - 11) + (index % 4) - 1
    return { ...NOTHING, day: dayNumbered(day), payee: 'gas', name: 'Gas', category: 'bills', outMinor }
  })
  expect(recurringAmong(days, TODAY).outgoing).toMatchObject([{ interval: 'monthly', varies: true }])
})

test('every fourth Friday is booked on the Monday after a holiday', () => {
  const friday = dayNumberOf('2025-10-10')
  const days = Array.from({ length: 12 }, (_, index) => friday + 28 * index).map((dueDay): PayeeDayPayments => {
    const day = dayNumbered(dueDay) === '2026-06-19' ? dueDay + 3 : dueDay
    return { ...NOTHING, day: dayNumbered(day), payee: 'studio', name: 'Studio', outMinor: 89_00 }
  })
  expect(recurringAmong(days, TODAY).outgoing).toMatchObject([{ interval: 'every_4_weeks', nextOn: '2026-09-11' }])
})
