import { expect, test } from 'vitest'
import { noticeWords } from '#contract/parse-notice.ts'
import { TEXTS } from '#contract/texts.ts'
import { openTranslations, readCatalogs } from '#server/platform/translations.ts'
import { WITH_GERMAN } from '#server/test/catalogs.ts'

const translations = openTranslations(WITH_GERMAN)
const [english, german] = [translations.in('en'), translations.in('de')]
/** The no-break space, which is before the currency symbol. */
const NBSP = '\u00a0'

test('each language has one translator', () => {
  expect(german.language).toBe('de')
  expect(translations.in('de')).toBe(german)
})

test.each(['tlh', '', 'constructor', '__proto__', '../en'])('%j falls back to English', (language) => {
  expect(translations.in(language)).toBe(english)
})

test('amounts and dates have the format of the language', () => {
  const time = '2026-08-28T09:41:00.000Z'
  expect(english.amount(-1_234_50, 'USD')).toBe('−$1,234.50')
  expect(german.amount(-1_234_50, 'USD')).toBe(`−1.234,50${NBSP}$`)
  expect(german.amount(1_234_50, 'USD', { sign: 'always' })).toBe(`+1.234,50${NBSP}$`)
  expect(german.amount(50_000_000, 'BTC')).toBe(`0,50000000${NBSP}₿`)
  expect(german.amount(2_450, 'POINTS')).toBe('2.450')
  expect([english.day(time), german.day(time)]).toEqual(['August 28, 2026', '28. August 2026'])
  expect([english.moment(time), german.moment(time)]).toEqual([
    'August 28, 2026 at 9:41 AM UTC',
    '28. August 2026 um 09:41 UTC',
  ])
})

test('a text missing in a catalog is in English, including its parameters', () => {
  expect(german.textOf('category', 'transfer')).toBe('Überweisung')
  expect(german.textOf('category', 'food')).toBe(TEXTS.category.food)
  expect(german.textOf('method', 'debit_card', { lastFour: '4821' })).toBe('Debit card •••• 4821')
})

test('a notice is in the requested language', () => {
  const params = { amountMinor: 3_500_00, asset: 'USD', name: 'Northwind Studio' }
  expect(noticeWords({ kind: 'payment_received', params }, german)).toEqual({
    title: 'Geld erhalten',
    message: `Sie haben 3.500,00${NBSP}$ von Northwind Studio erhalten.`,
  })
  expect(noticeWords({ kind: 'kyc_again', params: { reason: 'Too dark.' } }, german)).toEqual({
    title: 'New documents needed',
    message: 'Bitte noch einmal: Too dark.',
  })
  expect(noticeWords({ kind: 'never', params }, german)).toBeNull()
})

test('braces in a customer’s text have no meaning for the translator', () => {
  const params = { amountMinor: 1, asset: 'USD', name: "{amount} '{name}' #" }
  expect(noticeWords({ kind: 'payment_received', params }, english)?.message).toBe(
    "You received $0.01 from {amount} '{name}' #.",
  )
})

test('the catalog of the bank has every text of the contract', () => {
  const translator = openTranslations(readCatalogs()).in('en')
  const codes = Object.entries(TEXTS).flatMap(([table, texts]) => Object.keys(texts).map((code) => `${table}.${code}`))
  expect(codes.filter((id) => !Object.hasOwn(translator.i18n.messages, id))).toEqual([])
})
