import { i18n } from '@lingui/core'
import { afterEach, expect, it } from 'vitest'
import * as dates from '#web/i18n/dates.ts'

const NOW = new Date('2026-08-28T09:41:00Z')
const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })

afterEach(() => speak('en'))

it('writes dates and times in English as they always were', () => {
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

it('follows the language in force, there and back', () => {
  speak('de')
  expect(dates.longDay('2026-08-26T12:00:00Z', NOW)).toBe('Mittwoch, 26. August')
  expect(dates.timeOfDay(NOW)).toBe('9:41')
  speak('ar')
  expect(dates.wholeDay(NOW)).toContain('28')
  speak('en')
  expect(dates.wholeDay(NOW)).toBe('August 28, 2026')
})
