import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { loanCost, parseLoanAmount, parseMonths, defaultLoan } from '#web/loans/apply/loan-form.ts'

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

test('the form begins with the usual loan and its cost', () => {
  expect(defaultLoan()).toEqual({ amount: '5,000', months: '24' })
  expect(loanCost(defaultLoan())).toEqual({
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
])('%j over %j months is not a valid loan', (amount, months) => {
  expect(loanCost({ amount, months })).toBeNull()
})

test('parses typed amounts', () => {
  expect(parseLoanAmount('7,500')).toBe(7_500_00)
  expect(parseLoanAmount('7500.00')).toBe(7_500_00)
  expect(parseMonths(' 36 ')).toBe(36)
  expect(parseMonths('3.5')).toBeNull()
})
