import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bankHoliday, isBusinessDay, settlementOf } from '#server/rails/settlement.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const settles = (text: string) => settlementOf(new Date(text)).toISOString()

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
    expect(bankHoliday(day(date))).toBe(name)
    expect(isBusinessDay(day(date))).toBe(false)
  })

  test.each([
    ['2026-07-03', 'Independence Day 2026 falls on a Saturday, which moves nothing'],
    ['2027-07-06', 'only the Monday after a Sunday holiday is kept'],
    ['2027-12-24', 'Christmas 2027 falls on a Saturday'],
    ['2021-06-18', 'Juneteenth was not kept before 2022'],
  ])('%s is a business day: %s', (date) => {
    expect(isBusinessDay(day(date))).toBe(true)
  })
})

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
  ])('%s', (_, asked, settled) => {
    expect(settles(asked)).toBe(settled)
  })

  test('always falls on a business day, one or two business days later', () => {
    const instants = fc.date({ min: new Date('2022-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, (asked) => {
        const from = Temporal.PlainDate.from(asked.toISOString().slice(0, 10))
        const to = Temporal.PlainDate.from(settlementOf(asked).toISOString().slice(0, 10))
        let businessDays = 0
        for (let at = from; Temporal.PlainDate.compare(at, to) < 0;) {
          at = at.add({ days: 1 })
          if (isBusinessDay(at)) businessDays += 1
        }
        expect(isBusinessDay(to)).toBe(true)
        expect(businessDays).toBeGreaterThanOrEqual(1)
        expect(businessDays).toBeLessThanOrEqual(2)
      }),
      { numRuns: 500 },
    )
  })
})
