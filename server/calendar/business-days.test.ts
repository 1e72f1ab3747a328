import { describe, expect, test } from 'vitest'
import { bankHoliday, businessDayAfter, businessDayFrom, isBusinessDay } from '#server/calendar/business-days.ts'

describe('bank holidays', () => {
  test.each([
    ['2026-01-01', "New Year's Day"],
    ['2026-01-19', 'Birthday of Martin Luther King, Jr.'],
    ['2026-02-16', "Washington's Birthday"],
    ['2026-05-25', 'Memorial Day'],
    ['2026-06-19', 'Juneteenth National Independence Day'],
    ['2026-09-07', 'Labor Day'],
    ['2026-10-12', 'Columbus Day'],
    ['2026-11-11', 'Veterans Day'],
    ['2026-11-26', 'Thanksgiving Day'],
    ['2026-12-25', 'Christmas Day'],
    ['2027-07-05', 'Independence Day'],
    ['2033-12-26', 'Christmas Day'],
  ])('%s is %s', (date, name) => {
    expect(bankHoliday(date)).toBe(name)
    expect(isBusinessDay(date)).toBe(false)
  })

  test.each([
    ['2026-07-03', 'Independence Day 2026 falls on a Saturday, which moves nothing'],
    ['2027-07-06', 'only the Monday after a Sunday holiday is kept'],
    ['2027-12-24', 'Christmas 2027 falls on a Saturday'],
    ['2021-06-18', 'Juneteenth was not kept before 2022'],
  ])('%s is a business day: %s', (date) => {
    expect(isBusinessDay(date)).toBe(true)
  })
})

test.each([
  ['a weekday', '2026-09-01', '2026-09-01', '2026-09-02'],
  ['a Saturday', '2026-08-29', '2026-08-31', '2026-08-31'],
  ['the Sunday before a holiday', '2026-09-06', '2026-09-08', '2026-09-08'],
  ['the Saturday before Labor Day', '2026-09-05', '2026-09-08', '2026-09-08'],
  ['New Year’s Day, a Friday', '2027-01-01', '2027-01-04', '2027-01-04'],
])('%s is followed by the right business day, and that day by the next one', (_, day, from, after) => {
  expect(businessDayFrom(day)).toBe(from)
  expect(businessDayAfter(day)).toBe(after)
})

test('business days are counted over weekends and holidays', () => {
  expect(businessDayAfter('2026-09-03', 2)).toBe('2026-09-08')
})
