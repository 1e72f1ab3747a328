import { expect, test } from 'vitest'
import { lastTryOn, mayBeScheduled } from '#server/standing-orders/dates.ts'

test('a payment is retried on two more business days', () => {
  expect(lastTryOn('2026-09-03')).toBe('2026-09-08')
})

test.each([
  ['yesterday', '2026-08-27', false],
  ['today', '2026-08-28', true],
  ['two years ahead', '2028-08-28', true],
  ['two years and a day ahead', '2028-08-29', false],
])('%s can be chosen as an end: %s, %s', (_, day, may) => {
  expect(mayBeScheduled(day, new Date('2026-08-28T23:59:59Z'))).toBe(may)
})
