import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBusinessDay } from '#server/calendar/business-days.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { settlementTimeOf } from '#server/rails/settlement-time.ts'

const settles = (text: string) => settlementTimeOf(new Date(text)).toISOString()

describe('settlement of a bank transfer', () => {
  test.each([
    ['the sample morning, a Friday', '2026-08-28T09:41:00Z', '2026-08-31T09:00:00.000Z'],
    ['just before the cut-off', '2026-08-27T16:59:59.999Z', '2026-08-28T09:00:00.000Z'],
    ['at the cut-off', '2026-08-27T17:00:00Z', '2026-08-31T09:00:00.000Z'],
    ['a Saturday', '2026-08-29T12:00:00Z', '2026-09-01T09:00:00.000Z'],
    ['the Friday before Labor Day', '2026-09-04T10:00:00Z', '2026-09-08T09:00:00.000Z'],
    ['the Friday evening before Labor Day', '2026-09-04T18:00:00Z', '2026-09-09T09:00:00.000Z'],
    ['Labor Day itself', '2026-09-07T10:00:00Z', '2026-09-09T09:00:00.000Z'],
    ['over New Year', '2026-12-31T10:00:00Z', '2027-01-04T09:00:00.000Z'],
  ])('%s', (_, requestedAt, settled) => {
    expect(settles(requestedAt)).toBe(settled)
  })

  test('always falls on a business day, one or two business days later', () => {
    const instants = fc.date({ min: new Date('2022-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, (requestedAt) => {
        const firstDay = dayOf(requestedAt)
        const lastDay = dayOf(settlementTimeOf(requestedAt))
        let businessDays = 0
        for (let day = firstDay; day < lastDay;) {
          day = dayAfter(day)
          if (isBusinessDay(day)) businessDays += 1
        }
        expect(isBusinessDay(lastDay)).toBe(true)
        expect(businessDays).toBeGreaterThanOrEqual(1)
        expect(businessDays).toBeLessThanOrEqual(2)
      }),
      { numRuns: 500 },
    )
  })
})
