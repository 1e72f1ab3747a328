import { expect, test } from 'vitest'
import type { Category } from '#contract/categories.ts'
import { expectedUntil, rangeOf, replayErrors } from '#server/insights/forecast.ts'
import type { PayeeDayPayments } from '#server/insights/history/history.ts'
import { monthNumberOf, type Placement, placedOn } from '#server/insights/recurring/payment-calendar.ts'
import { dayNumbered, dayNumberOf } from '#server/insights/recurring/recurring.ts'
import { randomOf } from '#server/test/random.ts'

const paymentOn = (day: number, name: string, minor: number, category: Category): PayeeDayPayments => ({
  day: dayNumbered(day),
  payee: name.toLowerCase(),
  name,
  category,
  inMinor: Math.max(0, minor),
  outMinor: Math.max(0, -minor),
})

const FIRST = dayNumberOf('2025-06-01')
const LAST = dayNumberOf('2027-01-31')

const onPlaces = (places: readonly Placement[]): number[] =>
  Array.from({ length: 20 }, (_, index) => monthNumberOf(FIRST) + index).flatMap((month) =>
    places.map((place) => placedOn(place, month)),
  )
const every = (days: number, from: number): number[] =>
  Array.from({ length: Math.floor((LAST - from) / days) + 1 }, (_, index) => from + days * index)

const SALARIES: readonly ((random: () => number) => number[])[] = [
  (random) => every(14, FIRST + Math.floor(random() * 14)),
  () =>
    onPlaces([
      { day: 1, shift: 'previous' },
      { day: 15, shift: 'previous' },
    ]),
  () => onPlaces([{ day: 31, shift: 'previous' }]),
  (random) => onPlaces([{ day: 1 + Math.floor(random() * 28), shift: 'previous' }]),
  (random) => every(7, FIRST + Math.floor(random() * 7)),
]

/** Makes a customer with a salary, bills and daily spending. Their regularity varies. */
function customer(seed: number): { days: PayeeDayPayments[]; salaryMinor: number } {
  const random = randomOf(seed)
  const wholeNumber = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const salary = SALARIES[seed % SALARIES.length] ?? (() => [])
  const salaryMinor = wholeNumber(80_000, 400_000)
  const bills = ['Rent', 'Power', 'Phone', 'Streamly', 'Gym'].flatMap((name, index) => {
    const place: Placement = { day: wholeNumber(1, 28), shift: index % 2 === 0 ? 'next' : 'none' }
    const usual = index === 0 ? Math.round(salaryMinor * 0.4) : wholeNumber(1_000, 12_000)
    return onPlaces([place]).map((day) =>
      paymentOn(day, name, -(name === 'Power' ? Math.round((usual * wholeNumber(85, 115)) / 100) : usual), 'bills'),
    )
  })
  const busy = wholeNumber(20, 80) / 100
  const everyday = Array.from({ length: LAST - FIRST }, (_, index) => FIRST + index).flatMap((day) =>
    random() < busy
      ? [
          paymentOn(
            day,
            ['Grocer', 'Corner Cafe', 'City Cabs', 'Bookshop'][wholeNumber(0, 3)] ?? '',
            -wholeNumber(400, 6_000),
            'food',
          ),
        ]
      : [],
  )
  const days = [
    ...salary(random).map((day) => paymentOn(day, 'Acme Payroll', salaryMinor, 'income')),
    ...bills,
    ...everyday,
  ]
  return {
    days: days
      .filter(({ day }) => dayNumberOf(day) >= FIRST && dayNumberOf(day) <= LAST)
      .toSorted((a, b) => a.day.localeCompare(b.day)),
    salaryMinor,
  }
}

const FORECAST_REQUESTS = [
  '2026-06-05',
  '2026-07-10',
  '2026-08-15',
  '2026-09-10',
  '2026-10-20',
  '2026-11-03',
  '2026-12-12',
  '2027-01-08',
]
const endOf = (day: string): string =>
  dayNumbered(placedOn({ day: 31, shift: 'none' }, monthNumberOf(dayNumberOf(day))))

test('the stated range holds in four of five forecasts, and is narrower than a salary', () => {
  let [coveredDays, checkedDays, wideRanges] = [0, 0, 0]
  const missed = { income: 0, all: 0 }
  for (let seed = 1; seed <= 50; seed += 1) {
    const { days, salaryMinor } = customer(seed)
    for (const today of FORECAST_REQUESTS) {
      const until = endOf(today)
      const pastDays = days.filter(({ day }) => day <= today)
      const { incomeMinor, outgoingMinor } = expectedUntil(pastDays, today, until, [])
      const range = rangeOf(replayErrors(pastDays, new Date(`${today}T12:00:00Z`)))
      const laterDays = days.filter(({ day }) => day > today && day <= until)
      const actualMinor = laterDays.reduce((sum, { inMinor, outMinor }) => sum + inMinor - outMinor, 0)
      const actualIncome = laterDays.reduce((sum, { inMinor }) => sum + inMinor, 0)
      missed.all += 1
      if (actualIncome !== incomeMinor) missed.income += 1
      if (range === null) continue
      checkedDays += 1
      if (Math.abs(incomeMinor - outgoingMinor - actualMinor) <= range) coveredDays += 1
      if (range > salaryMinor * 0.5) wideRanges += 1
    }
  }
  expect(missed.income / missed.all).toBeLessThan(0.03)
  expect(checkedDays).toBeGreaterThan(150)
  expect(coveredDays / checkedDays).toBeGreaterThanOrEqual(0.8)
  // A range as wide as half a salary would be useless.
  expect(wideRanges / checkedDays).toBeLessThan(0.2)
})

test('a salary every two weeks is expected, and a late one is expected once', () => {
  const salary = (days: readonly number[]) => days.map((day) => paymentOn(day, 'Acme', 350_000, 'income'))
  const fridays = every(14, dayNumberOf('2026-01-02')).filter((day) => day <= dayNumberOf('2026-08-14'))
  expect(expectedUntil(salary(fridays), '2026-08-20', '2026-08-31', []).expected).toMatchObject([
    { dueOn: '2026-08-28', amountMinor: 350_000 },
  ])
  const ends = onPlaces([{ day: 31, shift: 'previous' }]).filter((day) => day <= dayNumberOf('2026-07-31'))
  expect(expectedUntil(salary(ends), '2026-08-03', '2026-08-31', []).expected).toMatchObject([{ dueOn: '2026-08-31' }])
  // The payment was due on the 31st.
  expect(expectedUntil(salary(ends), '2026-09-02', '2026-09-30', []).expected.map(({ dueOn }) => dueOn)).toEqual([
    '2026-09-03',
    '2026-09-30',
  ])
})

test('regular payments to a shop are counted once, and other purchases there by the day', () => {
  const prime = onPlaces([{ day: 20, shift: 'none' }]).map((day) => paymentOn(day, 'Megashop', -1_499, 'shopping'))
  const purchases = every(9, FIRST + 3).map((day, index) =>
    paymentOn(day, 'Megashop', -(2_000 + ((index * 731) % 3_000)), 'shopping'),
  )
  const pastDays = [...prime, ...purchases]
    .filter(({ day }) => day <= '2026-08-10')
    .toSorted((a, b) => a.day.localeCompare(b.day))
  const { expected, everydayMinor } = expectedUntil(pastDays, '2026-08-10', '2026-08-31', [])
  expect(expected).toMatchObject([{ name: 'Megashop', dueOn: '2026-08-20', amountMinor: -1_499 }])
  // The spending is about $35 every nine days, over 21 days.
  expect(everydayMinor).toBeGreaterThan(5_000)
  expect(everydayMinor).toBeLessThan(12_000)
})
