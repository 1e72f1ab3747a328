import { expect, it } from 'vitest'
import { groupPhone, isPhone } from '#web/ui/phone-text.ts'

it.each([
  ['07700900123', '07700 900123'],
  ['+447700900123', '+44 7700 900123'],
  ['02079460123', '020 7946 0123'],
  ['+12133734253', '+1 213 373 4253'],
  ['077', '077'],
  ['07700 9', '07700 9'],
])('%s becomes %s', (typed, grouped) => expect(groupPhone(typed)).toBe(grouped))

it.each(['ann@example.com', 'call me', ''])('%j is left alone', (typed) => expect(groupPhone(typed)).toBe(typed))

it('groups what it has grouped no further', () => {
  for (const typed of ['07700900123', '+447700900123', '020794']) {
    const grouped = groupPhone(typed)
    expect(groupPhone(grouped)).toBe(grouped)
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

it('reads a number without its country as one of the customer’s own', () => {
  expect(isPhone('213 373 4253')).toBe(true)
  expect(isPhone('3373 4253')).toBe(false)
  expect(isPhone('3373 4253', '+6531234567')).toBe(true)
  expect(isPhone('0044 7700 900123', '+12133734253')).toBe(true)
})
