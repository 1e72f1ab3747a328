import { i18n } from '@lingui/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { editAmount, groupDigits, readAmount, wholeAmount } from '#web/ui/amount-text.ts'

/** Types `keys` one after another at the end of `text`. */
function typed(keys: string, text = ''): string {
  let shown = text
  for (const key of keys) shown = editAmount(shown, shown + key, shown.length + 1).text
  return shown
}

describe('typing an amount', () => {
  it('parts thousands as they come', () => {
    expect(typed('1234567.89')).toBe('1,234,567.89')
  })
  it('takes no third decimal, no second point, no letter and no sign', () => {
    expect(typed('12.345')).toBe('12.34')
    expect(typed('1.2.3')).toBe('1.23')
    expect(typed('-1a2')).toBe('12')
  })
  it('takes a comma as the decimal point', () => {
    expect(typed('12,50')).toBe('12.50')
  })
  it('drops leading zeros and completes a leading point', () => {
    expect(typed('007')).toBe('7')
    expect(typed('.5')).toBe('0.5')
  })
})

it.each([
  ['12', '12.00'],
  ['12.5', '12.50'],
  ['1234.5', '1,234.50'],
  ['', ''],
  ['0', '0'],
  ['12,50', '12,50'],
  ['1e3', '1e3'],
])('%j is shown as %j once it is left', (text, shown) => expect(wholeAmount(text)).toBe(shown))

it('writes no decimals of a coin that say nothing', () => {
  expect(wholeAmount('0.045', 'BTC')).toBe('0.045')
  expect(wholeAmount('1.50000000', 'BTC')).toBe('1.5')
  expect(wholeAmount('100', 'BTC')).toBe('100')
  expect(wholeAmount('1234.5', 'BTC')).toBe('1,234.5')
})

describe('the caret', () => {
  it('stays behind what was typed in the middle', () => {
    // 1|23.40 and 9: the new comma does not push the caret away.
    expect(editAmount('123.40', '1923.40', 2)).toEqual({ text: '1,923.40', caret: 3 })
  })
  it('stays in its place when a digit is deleted and a comma goes with it', () => {
    expect(editAmount('1,234', '1,34', 2)).toEqual({ text: '134', caret: 1 })
  })
  it('deletes the digit before a comma when the comma is deleted', () => {
    expect(editAmount('1,234', '1234', 1)).toEqual({ text: '234', caret: 0 })
  })
})

describe('pasting', () => {
  it('accepts an amount with its currency sign, commas and spaces', () => {
    expect(editAmount('', '$1,234.50', 9).text).toBe('1,234.50')
    expect(editAmount('', ' 1234.5 ', 8).text).toBe('1,234.5')
  })
  it.each(['1e3', '-5', '12,50', '0.001', 'NaN', '1.234,50', '12 USD'])(
    'leaves %s to be seen, and reads no amount',
    (text) => {
      const { text: shown } = editAmount('', text, text.length)
      expect(shown).toBe(text)
      expect(readAmount(shown).state).toBe('invalid')
    },
  )
  it('becomes an amount again once it is put right', () => {
    expect(editAmount('1e3', '13', 1).text).toBe('13')
  })
})

describe('reading', () => {
  it('tells empty, wrong, too large and right apart', () => {
    expect(readAmount(' ')).toEqual({ state: 'empty' })
    expect(readAmount('0.00')).toEqual({ state: 'invalid' })
    expect(readAmount('1,23')).toEqual({ state: 'invalid' })
    expect(readAmount('90,071,992,547,409.92')).toEqual({ state: 'too_large' })
    expect(readAmount('90,071,992,547,409.91')).toEqual({ state: 'read', amountMinor: MAX_AMOUNT_MINOR })
  })
})

it('groups digits without touching what comes after the point', () => {
  expect(groupDigits('1234567.1')).toBe('1,234,567.1')
  expect(groupDigits('')).toBe('')
})

/** Speaks a language while the tests beside it run. */
function inLanguage(locale: string): void {
  beforeAll(() => i18n.loadAndActivate({ locale, messages: {} }))
  afterAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
}

describe('in German', () => {
  inLanguage('de')
  it('reads the comma as the decimal mark and the point as that of thousands', () => {
    expect(readAmount('1.234,56')).toEqual({ state: 'read', amountMinor: 123_456 })
    expect(readAmount('12,50')).toEqual({ state: 'read', amountMinor: 12_50 })
    expect(readAmount('1,234.56')).toEqual({ state: 'invalid' })
    expect(readAmount('90.071.992.547.409,92')).toEqual({ state: 'too_large' })
  })
  it('parts thousands as they come, and takes a point as the comma', () => {
    expect(typed('1234567,89')).toBe('1.234.567,89')
    expect(typed('12.50')).toBe('12,50')
  })
  it('leaves what is no amount to be seen', () => {
    expect(editAmount('', '1,234.50', 8).text).toBe('1,234.50')
  })
})

describe('in Arabic', () => {
  inLanguage('ar')
  it('reads the digits and marks of an Arabic keyboard, and shows them as the bank writes amounts', () => {
    expect(typed('١٢٣٤٫٥')).toBe('1,234.5')
    expect(readAmount('١٬٢٣٤٫٥٠')).toEqual({ state: 'read', amountMinor: 1_234_50 })
  })
})

describe('in French, which parts thousands with a space that no keyboard has', () => {
  inLanguage('fr')
  it('is typed with a comma or a point, and a typed space changes nothing', () => {
    expect(typed('1234,5')).toBe('1\u202f234,5')
    expect(typed('1234.5')).toBe('1\u202f234,5')
    expect(typed('1 234,5')).toBe('1\u202f234,5')
  })
  it('is read with any space', () => {
    for (const space of ['', ' ', '\u00a0', '\u202f'])
      expect(readAmount(`1${space}234,50`)).toEqual({ state: 'read', amountMinor: 1234_50 })
    expect(readAmount('12 34,50')).toEqual({ state: 'invalid' })
  })
})

describe('in Japanese', () => {
  inLanguage('ja')
  it('takes digits and marks as wide as letters', () => {
    expect(typed('１２３４．５')).toBe('1,234.5')
    expect(readAmount('１，２３４．５０')).toEqual({ state: 'read', amountMinor: 1234_50 })
  })
})
