import { expect, test } from 'vitest'
import {
  firstDayOfMonth,
  lastDayOfMonth,
  monthPeriod,
  monthsApart,
  monthsUntil,
  nextMonthly,
  sameDaysLastMonth,
} from '#server/calendar/months.ts'

test('a month and its neighbors begin and end on the right days', () => {
  const moment = new Date('2028-01-31T23:59:59Z')
  expect([firstDayOfMonth(moment), firstDayOfMonth(moment, -1), firstDayOfMonth('2028-01', 1)]).toEqual([
    '2028-01-01',
    '2027-12-01',
    '2028-02-01',
  ])
  expect([lastDayOfMonth(moment), lastDayOfMonth(moment, 1), lastDayOfMonth(moment, 13)]).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2029-02-28',
  ])
  expect(monthPeriod('2027-12')).toEqual({ from: new Date('2027-12-01'), to: new Date('2028-01-01') })
})

test('months apart are counted by the calendar', () => {
  expect(monthsApart('2026-12-31', '2027-01-01')).toBe(1)
  expect(monthsApart('2026-01-01', '2027-12-31')).toBe(23)
  expect(monthsApart('2026-03-01', '2026-03-31')).toBe(0)
})

test.each([
  ['in the middle', '2026-08-28T09:41:00Z', '2026-07-01', '2026-07-29'],
  ['on the last day of a short month', '2026-04-30T09:41:00Z', '2026-03-01', '2026-04-01'],
  ['on a day that the last month does not have', '2026-03-30T09:41:00Z', '2026-02-01', '2026-03-01'],
])('%s, the current month so far is compared with the same days of the last month', (_, now, from, to) => {
  expect(sameDaysLastMonth(new Date(now))).toEqual({ from: new Date(from), to: new Date(to) })
})

test('a day of each month is the last day of a shorter month', () => {
  expect(nextMonthly(31, '2027-01-31')).toBe('2027-02-28')
  expect(nextMonthly(31, '2027-02-28')).toBe('2027-03-31')
  expect(nextMonthly(15, '2027-02-14')).toBe('2027-02-15')
  expect(nextMonthly(31, '2027-03-01')).toBe('2027-03-31')
  expect(nextMonthly(15, '2027-02-15')).toBe('2027-03-15')
})

test('a started month counts, and the count is at least one', () => {
  expect(monthsUntil('2026-08-28', '2026-08-28')).toBe(1)
  expect(monthsUntil('2026-09-28', '2026-08-28')).toBe(1)
  expect(monthsUntil('2026-09-29', '2026-08-28')).toBe(2)
})
