import { expect, test } from 'vitest'
import { timeAgo, localLongDay } from '#web/lib/local-time.ts'

const timeOf = (text: string) => new Date(text).getTime()
const iso = (text: string) => new Date(text).toISOString()
const NOW = timeOf('2026-03-01T09:30:00')

test.each([
  ['2026-03-01T09:29:30', 'just now'],
  // Another device's clock may be ahead of this one's.
  ['2026-03-01T09:31:00', 'just now'],
  ['2026-03-01T09:29:00', '1 minute ago'],
  ['2026-03-01T08:30:00', '1 hour ago'],
  ['2026-02-28T09:30:00', 'yesterday'],
  ['2026-02-23T09:30:00', '6 days ago'],
  ['2025-12-24T09:30:00', 'on Dec 24, 2025'],
])('%s is %s', (instant, localTime) => {
  expect(timeAgo(iso(instant), NOW)).toBe(localTime)
})

test.each([
  ['2026-03-01T00:00:00', 'Today'],
  ['2026-02-28T23:59:59', 'Yesterday'],
  ['2026-02-27T12:00:00', 'Friday, February 27'],
  ['2025-12-24T12:00:00', 'Wednesday, December 24, 2025'],
])('the day of %s is %s', (instant, localDay) => {
  expect(localLongDay(iso(instant), NOW)).toBe(localDay)
})
