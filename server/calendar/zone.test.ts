import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, lastEndedDay, timeOn } from '#server/calendar/zone.ts'
import { setBankZone } from '#server/platform/time-zone.ts'

test('an instant belongs to its local day', () => {
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

test('an invalid instant has no day', () => {
  dayOf(new Date('2026-08-28T00:00:00Z'))
  expect(() => dayOf(new Date('no instant'))).toThrow(RangeError)
  expect(dayOf(new Date('2026-08-28T00:00:00Z'))).toBe('2026-08-28')
})

test('a day begins at its first instant, followed by its hours', () => {
  expect(timeOn('2026-08-28')).toEqual(new Date('2026-08-28T00:00:00Z'))
  expect(timeOn('2026-08-28', 16)).toEqual(new Date('2026-08-28T16:00:00Z'))
})

test.each([
  ['before the hour', '2026-08-28T05:59:59.999Z', '2026-08-27'],
  ['at the hour', '2026-08-28T06:00:00Z', '2026-08-28'],
  ['late in the day', '2026-08-28T23:59:59Z', '2026-08-28'],
])('%s: the last day whose hour has come is found', (_, instant, day) => {
  expect(lastEndedDay(6, new Date(instant))).toBe(day)
})

describe('in New York', () => {
  beforeAll(() => setBankZone('America/New_York'))
  afterAll(() => setBankZone('UTC'))

  test('a payment at half past seven in the evening of December 31 belongs to that year', () => {
    expect(dayOf(new Date('2027-01-01T00:30:00Z'))).toBe('2026-12-31')
  })

  test.each([
    ['the day of 23 hours', '2027-03-14', '2027-03-14T05:00:00Z', 23],
    ['the day of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['a day in summer', '2026-08-28', '2026-08-28T04:00:00Z', 24],
  ])('%s begins at its midnight and ends at the next midnight', (_, day, begins, hours) => {
    const [from, to] = [timeOn(day), timeOn(dayAfter(day))]
    expect(from).toEqual(new Date(begins))
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(hours)
    expect([dayOf(from), dayOf(new Date(to.getTime() - 1)), dayOf(to)]).toEqual([day, day, dayAfter(day)])
  })

  test.each([
    ['a skipped local hour is one later', '2027-03-14', 2, '2027-03-14T07:00:00Z'],
    ['a repeated local hour is the first', '2026-11-01', 1, '2026-11-01T05:00:00Z'],
    ['the hour of payments is six in winter', '2027-03-13', 6, '2027-03-13T11:00:00Z'],
    ['and six in summer', '2027-03-14', 6, '2027-03-14T10:00:00Z'],
  ])('%s', (_, day, hour, instant) => expect(timeOn(day, hour)).toEqual(new Date(instant)))

  test.each([
    ['a minute before six on the day of 23 hours', '2027-03-14T09:59:00Z', '2027-03-13'],
    ['at six on this day', '2027-03-14T10:00:00Z', '2027-03-14'],
    ['a minute before six on the day of 25 hours', '2026-11-01T10:59:00Z', '2026-10-31'],
    ['at six on this day', '2026-11-01T11:00:00Z', '2026-11-01'],
  ])('%s: the last day whose six o’clock has come is found', (_, instant, day) =>
    expect(lastEndedDay(6, new Date(instant))).toBe(day),
  )

  test('every instant is in its day, in every zone', () => {
    const zones = ['America/New_York', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Apia']
    const instants = fc.date({ min: new Date('2010-01-01'), max: new Date('2036-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, fc.nat(23), (zone, instant, hour) => {
        setBankZone(zone)
        const day = dayOf(instant)
        expect(timeOn(day) <= instant && instant < timeOn(dayAfter(day))).toBe(true)
        const last = lastEndedDay(hour, instant)
        expect(timeOn(last, hour) <= instant && instant < timeOn(dayAfter(last), hour)).toBe(true)
      }),
    )
    setBankZone('America/New_York')
  })
})
