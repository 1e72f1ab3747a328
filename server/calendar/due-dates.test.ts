import { dayOf } from '#server/calendar/zone.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import { businessDayFrom, isBusinessDay } from '#server/calendar/business-days.ts'
import { nextBillDay, recurringDate } from '#server/calendar/due-dates.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('a month that is too short has the date on its last day, and the next month has the full date', () => {
  const dates = Array.from({ length: 6 }, (_, passed) => recurringDate('2028-01-31', 'month', passed))
  expect(dates).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30'])
})

test('weekly dates continue over months and years', () => {
  expect([0, 1, 2].map((passed) => recurringDate('2026-12-24', 'week', passed))).toEqual([
    '2026-12-24',
    '2026-12-31',
    '2027-01-07',
  ])
})

test('bills are due on business days, with month ends clamped', () => {
  expect(nextBillDay(31, '2027-01-30')).toBe('2027-02-01')
  expect(nextBillDay(31, '2027-02-01')).toBe('2027-03-01') // 28 February is a Sunday.
  expect(nextBillDay(12, '2026-08-28')).toBe('2026-09-14')
  expect(nextBillDay(28, '2026-08-28')).toBe('2026-09-28')
  expect(nextBillDay(31, '2026-11-01')).toBe('2026-11-02') // 31 October is a Saturday.
})

const days = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })

test('the next bill day is the first of all due days after any day', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 31 }), (date, billDay) => {
      const after = dayOf(date)
      const dueDays = [-2, -1, 0, 1, 2].map((months) =>
        businessDayFrom(
          Temporal.PlainDate.from(firstDayOfMonth(after, months))
            .with({ day: billDay }, { overflow: 'constrain' })
            .toString(),
        ),
      )
      expect(nextBillDay(billDay, after)).toBe(dueDays.filter((day) => day > after).toSorted()[0])
    }),
  )
})

test('for any first date, the next ones are in order, a month or a week apart, each made on a business day', () => {
  fc.assert(
    fc.property(days, fc.constantFrom('week', 'month'), fc.nat(40), (first, every, passed) => {
      const anchor = dayOf(first)
      const [date, next] = [recurringDate(anchor, every, passed), recurringDate(anchor, every, passed + 1)]
      expect(next > date).toBe(true)
      const distance = Temporal.PlainDate.from(date).until(next).days
      expect(every === 'week' ? distance === 7 : distance >= 28 && distance <= 31).toBe(true)
      if (every === 'month') expect(Math.min(28, Number(date.slice(8)))).toBe(Math.min(28, Number(anchor.slice(8))))
      expect(isBusinessDay(businessDayFrom(date))).toBe(true)
      expect(businessDayFrom(date) >= date).toBe(true)
    }),
  )
})
