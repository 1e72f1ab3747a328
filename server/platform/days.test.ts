import { expect, test } from 'vitest'
import { dayOf } from '#server/platform/days.ts'

test('the day of an instant is its own, whichever was asked before', () => {
  const instants = [
    ['2026-08-28T00:00:00.000Z', '2026-08-28'],
    ['2026-08-27T23:59:59.999Z', '2026-08-27'],
    ['2026-08-28T23:59:59.999Z', '2026-08-28'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01'],
    ['2026-08-28T12:00:00.000Z', '2026-08-28'],
  ] as const
  for (const [instant, day] of instants) expect(dayOf(new Date(instant))).toBe(day)
})

test('what is no instant has no day, whichever was asked before', () => {
  dayOf(new Date('2026-08-28T00:00:00Z'))
  expect(() => dayOf(new Date('no instant'))).toThrow(RangeError)
  expect(dayOf(new Date('2026-08-28T00:00:00Z'))).toBe('2026-08-28')
})
