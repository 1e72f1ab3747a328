import { expect, it } from 'vitest'
import { isBirthDate, readPostcode } from '#contract/personal-details.ts'

it.each([
  ['2008-08-28', true],
  ['2008-08-29', false],
  ['1906-08-28', true],
  ['1906-08-27', false],
] as const)('%s is parsed as the birth date August 28, 2026: %s', (day, is) =>
  expect(isBirthDate(day, '2026-08-28')).toBe(is),
)

it('a customer born on March 1 has to wait until March 1', () => {
  expect(isBirthDate('2010-02-28', '2028-02-29')).toBe(true)
  expect(isBirthDate('2010-03-01', '2028-02-29')).toBe(false)
})

it.each([
  ['sw1y  4le', 'SW1Y 4LE'],
  [' 10115 ', '10115'],
  ['!', null],
  ['A', null],
  ['ABCDEFGHIJK', null],
] as const)('%j stays %j', (typed, postcode) => expect(readPostcode(typed)).toBe(postcode))
