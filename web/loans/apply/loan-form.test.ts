import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { costOf, readLoan, readMonths, usualLoan } from '#web/loans/apply/loan-form.ts'

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

test('the form begins with the usual loan, and what that costs', () => {
  expect(usualLoan()).toEqual({ amount: '5,000', months: '24' })
  expect(costOf(usualLoan())).toEqual({
    instalmentMinor: 223_64,
    lastInstalmentMinor: 223_55,
    totalMinor: 5_367_27,
    interestMinor: 367_27,
  })
})

test.each([
  ['', '24'],
  ['abc', '24'],
  ['999', '24'],
  ['1,250', '24'],
  ['50,500', '24'],
  ['5,000', ''],
  ['5,000', '5'],
  ['5,000', '25'],
  ['5,000', '66'],
  ['5,000', '-6'],
])('%j over %j months is no loan', (amount, months) => {
  expect(costOf({ amount, months })).toBeNull()
})

test('reads what is typed', () => {
  expect(readLoan('7,500')).toBe(7_500_00)
  expect(readLoan('7500.00')).toBe(7_500_00)
  expect(readMonths(' 36 ')).toBe(36)
  expect(readMonths('3.5')).toBeNull()
})
