import { i18n } from '@lingui/core'
import { afterEach, expect, it } from 'vitest'
import { timeSince } from '#web/i18n/time-since.ts'

const NOW = new Date('2026-08-28T09:41:00Z')
const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })

afterEach(() => speak('en'))

it.each([
  ['2026-08-28T09:41:20Z', 'Now'],
  ['2026-08-28T09:40:01Z', 'Now'],
  ['2026-08-28T09:36:00Z', '5 min. ago'],
  ['2026-08-28T07:30:00Z', '2 hr. ago'],
  ['2026-08-27T23:59:00Z', 'Yesterday'],
  ['2026-08-25T07:30:00Z', '3 days ago'],
  ['2026-08-20T09:00:00Z', 'Last week'],
  ['2026-08-10T09:00:00Z', '2 weeks ago'],
  ['2026-05-10T09:00:00Z', 'May 10'],
])('%s is written as the elapsed time %s', (iso, elapsedText) => {
  expect(timeSince(iso, NOW)).toBe(elapsedText)
})

it('elapsed times work across midnight, and in other languages', () => {
  expect(timeSince('2026-08-27T23:50:00Z', new Date('2026-08-28T00:10:00Z'))).toBe('20 min. ago')
  speak('de')
  expect(timeSince('2026-08-28T09:41:00Z', NOW)).toBe('Jetzt')
  expect(timeSince('2026-08-27T09:00:00Z', NOW)).toBe('Gestern')
  speak('ja')
  expect(timeSince('2026-08-28T08:30:00Z', NOW)).toBe('1時間前')
  expect(timeSince('2026-08-25T07:30:00Z', NOW)).toBe('3日前')
  speak('ar')
  expect(timeSince('2026-08-27T09:00:00Z', NOW)).toBe('أمس')
})
