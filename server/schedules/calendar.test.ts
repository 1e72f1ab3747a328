import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBusinessDay } from '#server/rails/settlement.ts'
import { dateOf, dueOn, lastTryOn, mayBeScheduled } from '#server/schedules/calendar.ts'

test('a month that is too short has the date on its last day, and the next has it in full', () => {
  const dates = Array.from({ length: 6 }, (_, passed) => dateOf('2028-01-31', 'month', passed))
  expect(dates).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30'])
})

test('weeks go on over months and years', () => {
  expect([0, 1, 2].map((passed) => dateOf('2026-12-24', 'week', passed))).toEqual([
    '2026-12-24',
    '2026-12-31',
    '2027-01-07',
  ])
})

test.each([
  ['a weekday', '2026-09-01', '2026-09-01'],
  ['a Saturday', '2026-08-29', '2026-08-31'],
  ['the Sunday before a holiday', '2026-09-06', '2026-09-08'],
  ['New Year’s Day, a Friday', '2027-01-01', '2027-01-04'],
])('on %s the payment is made on the next business day at the latest', (_, date, due) => {
  expect(dueOn(date)).toBe(due)
})

test('a payment is tried for two business days more', () => {
  expect(lastTryOn('2026-09-03')).toBe('2026-09-08')
})

const days = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })

test('whatever the first date, the next ones follow in order, a month or a week apart, and each is made on a business day', () => {
  fc.assert(
    fc.property(days, fc.constantFrom('week', 'month'), fc.nat(40), (first, every, passed) => {
      const anchor = first.toISOString().slice(0, 10)
      const [date, next] = [dateOf(anchor, every, passed), dateOf(anchor, every, passed + 1)]
      expect(next > date).toBe(true)
      const apart = Temporal.PlainDate.from(date).until(next).days
      expect(every === 'week' ? apart === 7 : apart >= 28 && apart <= 31).toBe(true)
      if (every === 'month') expect(Math.min(28, Number(date.slice(8)))).toBe(Math.min(28, Number(anchor.slice(8))))
      expect(isBusinessDay(Temporal.PlainDate.from(dueOn(date)))).toBe(true)
      expect(dueOn(date) >= date).toBe(true)
      expect(dueOn(next) > lastTryOn(date)).toBe(true)
    }),
  )
})

test.each([
  ['yesterday', '2026-08-27', false],
  ['today', '2026-08-28', true],
  ['two years on', '2028-08-28', true],
  ['a day more', '2028-08-29', false],
])('%s may be chosen: %s, %s', (_, day, may) => {
  expect(mayBeScheduled(day, new Date('2026-08-28T23:59:59Z'))).toBe(may)
})
