import { expect, it } from 'vitest'
import { isBirthDate, readPostcode } from '#contract/details.ts'

it.each([
  ['2008-08-28', true],
  ['2008-08-29', false],
  ['1906-08-28', true],
  ['1906-08-27', false],
] as const)('%s is a birth date on August 28, 2026: %s', (day, is) => expect(isBirthDate(day, '2026-08-28')).toBe(is))

it('lets who was born on March 1 wait until then', () => {
  expect(isBirthDate('2010-02-28', '2028-02-29')).toBe(true)
  expect(isBirthDate('2010-03-01', '2028-02-29')).toBe(false)
})

it.each([
  ['sw1y  4le', 'SW1Y 4LE'],
  [' 10115 ', '10115'],
  ['!', null],
  ['A', null],
  ['ABCDEFGHIJK', null],
] as const)('%j is kept as %j', (typed, kept) => expect(readPostcode(typed)).toBe(kept))
