import { i18n } from '@lingui/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as dates from '#web/i18n/dates.ts'

const NOW = new Date('2026-08-28T09:41:00Z')
const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })

afterEach(() => speak('en'))

it('dates and times in English have their usual format', () => {
  expect(dates.shortDay('2026-08-28T00:00:00Z', NOW)).toBe('Today')
  expect(dates.shortDay('2026-08-27T23:59:00Z', NOW)).toBe('Yesterday')
  expect(dates.shortDay('2026-08-26T12:00:00Z', NOW)).toBe('Aug 26')
  expect(dates.shortDay('2025-12-30T12:00:00Z', NOW)).toBe('Dec 30, 2025')
  expect(dates.longDay('2026-08-26T12:00:00Z', NOW)).toBe('Wednesday, August 26')
  expect(dates.longDay('2025-12-30T12:00:00Z', NOW)).toBe('Tuesday, December 30, 2025')
  expect(dates.dateAndTime('2026-08-28T09:41:00Z').replaceAll('\u202f', ' ')).toBe('Fri, Aug 28, 2026, 9:41 AM')
  expect(dates.wholeDay(NOW)).toBe('August 28, 2026')
  expect([dates.weekday(NOW), dates.monthName(NOW)]).toEqual(['Friday', 'August'])
})

it('dates follow the current language, back and forth', () => {
  speak('de')
  expect(dates.longDay('2026-08-26T12:00:00Z', NOW)).toBe('Mittwoch, 26. August')
  expect(dates.timeOfDay(NOW)).toBe('9:41')
  speak('ar')
  expect(dates.wholeDay(NOW)).toContain('28')
  speak('en')
  expect(dates.wholeDay(NOW)).toBe('August 28, 2026')
})

describe('in a bank in New York', () => {
  beforeAll(() => dates.setBankZone('America/New_York'))
  afterAll(() => dates.setBankZone('UTC'))

  it('an instant has the bank’s day, and a day is unchanged', () => {
    expect(dates.bankDayOf('2027-01-01T00:30:00Z')).toBe('2026-12-31')
    expect(dates.bankDayOf('2027-01-01T05:00:00Z')).toBe('2027-01-01')
    expect(dates.bankDayOf('2027-01-01')).toBe('2027-01-01')
    expect(dates.wholeDay('2027-01-01')).toBe('January 1, 2027')
    expect(dates.shortDay('2027-01-01', '2027-01-01')).toBe('Today')
    expect(dates.shortDay('2027-01-01T00:30:00Z', '2027-01-01')).toBe('Yesterday')
    expect(dates.shortDay('2027-01-01T00:30:00Z', null)).toBe('Dec 31, 2026')
    expect(dates.monthName('2026-12-01T04:59:00Z')).toBe('November')
    expect([
      dates.monthStart(new Date('2027-01-01T00:30:00Z')),
      dates.monthEnd(new Date('2027-01-01T00:30:00Z'), 1),
    ]).toEqual(['2026-12-01', '2026-11-30'])
  })

  it('days of 23 and 25 hours are like others', () => {
    const shortDayEnds = new Date('2027-03-15T03:59:59Z')
    const longDayEnds = new Date('2026-11-02T04:59:59Z')
    expect([dates.bankDayOf(shortDayEnds), dates.bankDayBefore(shortDayEnds, 1)]).toEqual(['2027-03-14', '2027-03-13'])
    expect([dates.bankDayOf(longDayEnds), dates.bankDayBefore(longDayEnds, 1)]).toEqual(['2026-11-01', '2026-10-31'])
  })

  it('the greeting follows the local hour', () => {
    expect(dates.greeting(new Date('2026-08-28T13:41:00Z'))).toBe('Good morning')
    expect(dates.greeting(new Date('2026-08-28T23:00:00Z'))).toBe('Good evening')
  })

  // The time zone of the tests' device is UTC (vitest.config.ts).
  it('a time shows its zone on a device with another one', () => {
    expect(dates.timeOfDay('2026-08-28T13:41:00Z')).toBe('9:41\u00a0AM\u00a0EDT')
    expect(dates.dateAndTime('2026-01-28T13:41:00Z').replaceAll(/\s/g, ' ')).toBe('Wed, Jan 28, 2026, 8:41 AM EST')
    expect(dates.bankZoneName(new Date('2026-08-28T13:41:00Z'))).toBe('Eastern Time')
    dates.setBankZone('Africa/Abidjan')
    expect(dates.timeOfDay('2026-08-28T13:41:00Z')).toBe('1:41\u00a0PM')
    expect(dates.bankZoneName(new Date('2026-08-28T13:41:00Z'))).toBeNull()
    dates.setBankZone('America/New_York')
  })
})
