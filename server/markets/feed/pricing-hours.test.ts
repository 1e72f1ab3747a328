import { expect, test } from 'vitest'
import { lastPricing, nextPricing } from '#server/markets/feed/pricing-hours.ts'

test.each([
  ['in the morning', '2026-08-28T09:41:00Z', '2026-08-27T16:00:00Z', '2026-08-28T16:00:00Z'],
  ['just before', '2026-08-28T15:59:59.999Z', '2026-08-27T16:00:00Z', '2026-08-28T16:00:00Z'],
  ['at the hour, when the price is published', '2026-08-28T16:00:00Z', '2026-08-28T16:00:00Z', '2026-08-31T16:00:00Z'],
  ['on a Sunday', '2026-08-30T16:30:00Z', '2026-08-28T16:00:00Z', '2026-08-31T16:00:00Z'],
  ['on a holiday', '2026-12-25T10:00:00Z', '2026-12-24T16:00:00Z', '2026-12-28T16:00:00Z'],
])('funds are priced at 16:00 on business days: %s', (_what, moment, last, next) => {
  expect(lastPricing(new Date(moment))).toEqual(new Date(last))
  expect(nextPricing(new Date(moment))).toEqual(new Date(next))
})
