import { expect, it } from 'vitest'
import { groupPhone, isPhone } from '#web/ui/phone-text.ts'

it.each([
  ['07700900123', '07700 900123'],
  ['+447700900123', '+44 7700 900123'],
  ['02079460123', '020 7946 0123'],
  ['+12133734253', '+1 213 373 4253'],
  ['077', '077'],
  ['07700 9', '07700 9'],
])('%s becomes %s', (typed, groupedText) => expect(groupPhone(typed)).toBe(groupedText))

it('groups a number without a country code as one of the customer’s own country', () => {
  expect(groupPhone('2133734253', '+12133734253')).toBe('(213) 373-4253')
  expect(groupPhone('+447700900123', '+12133734253')).toBe('+44 7700 900123')
})

it.each(['ann@example.com', 'call me', ''])('%j is not changed', (typed) => expect(groupPhone(typed)).toBe(typed))

it('grouped digits are not grouped again', () => {
  for (const typed of ['07700900123', '+447700900123', '020794']) {
    const groupedText = groupPhone(typed)
    expect(groupPhone(groupedText)).toBe(groupedText)
  }
})

it.each([
  ['07700 900123', true],
  ['+44 7700 900123', true],
  ['+1 213 373 4253', true],
  ['12', false],
  ['call me', false],
  ['', false],
])('%j can be a number: %s', (typed, possible) => expect(isPhone(typed)).toBe(possible))

it('parses a number without a country code as one of the customer’s own country', () => {
  expect(isPhone('213 373 4253')).toBe(true)
  expect(isPhone('3373 4253')).toBe(false)
  expect(isPhone('3373 4253', '+6531234567')).toBe(true)
  expect(isPhone('0044 7700 900123', '+12133734253')).toBe(true)
})
