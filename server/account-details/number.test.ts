import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAccountNumber } from '#contract/bank-numbers.ts'
import { accountIdOf, accountNumberOf } from '#server/account-details/number.ts'

const bank = { secret: 'a secret of at least 32 characters' }
const accountId = fc.integer({ min: 1, max: 8_999_999_999 })

test('each account has its own number, from which the account can be found', () => {
  fc.assert(
    fc.property(accountId, (id) => {
      const number = accountNumberOf(bank, id)
      expect(number).toMatch(/^[1-9]\d{11}$/)
      expect(isAccountNumber(number)).toBe(true)
      expect(accountIdOf(bank, number)).toBe(id)
    }),
  )
  const numbers = new Set(Array.from({ length: 5_000 }, (_, id) => accountNumberOf(bank, id)))
  expect(numbers.size).toBe(5_000)
})

test('every wrong digit and every swap of two digits is detected', () => {
  const digit = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(accountId, fc.nat(11), digit, (id, index, offset) => {
      const number = accountNumberOf(bank, id)
      const digits = number.split('').map(Number)
      const wrongNumber = digits.with(index, ((digits[index] ?? 0) + offset) % 10).join('')
      expect(accountIdOf(bank, wrongNumber)).toBeNull()
      const next = Math.min(index + 1, 11)
      const swapped = digits.with(index, digits[next] ?? 0).with(next, digits[index] ?? 0)
      if (swapped.join('') !== number) expect(accountIdOf(bank, swapped.join(''))).toBeNull()
    }),
  )
})

test('a number reveals neither the next number nor the number at a bank with another secret', () => {
  const numbers = Array.from({ length: 400 }, (_, index) => accountNumberOf(bank, 1_000 + index))
  const other = { secret: 'another secret of 32 characters!!' }
  const otherNumbers = new Set(numbers.map((_, index) => accountNumberOf(other, 1_000 + index)))
  expect(numbers.filter((number) => otherNumbers.has(number))).toEqual([])
  const rises = numbers.filter((number, index) => number > (numbers[index - 1] ?? number)).length
  // Half of the steps should rise and half should fall.
  expect(rises).toBeGreaterThan(150)
  expect(rises).toBeLessThan(250)
  for (const first of '123456789') expect(numbers.some((number) => number.startsWith(first))).toBe(true)
})

test.each([
  '',
  '0',
  '12',
  '000000000097',
  '１２３４５６７８９０１２',
  '12345678901',
  '1234567890123',
  '-12345678901',
  'x',
])('%j is not an account number', (text) => expect(accountIdOf(bank, text)).toBeNull())
