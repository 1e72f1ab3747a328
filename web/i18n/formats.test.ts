import { i18n } from '@lingui/core'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Asset, ASSET_CODES, ASSETS } from '#contract/money.ts'
import { changeText, money, type MoneyOptions, moneyParts, percentage, rateText } from '#web/i18n/formats.ts'
import { waitText } from '#web/i18n/wait-time.ts'

const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })

/** Removes the marks that only control the text direction. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200e\u200f\u061c]/g, '')

afterEach(() => speak('en'))

const amounts = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.maxSafeInteger())

const options = fc.record(
  { sign: fc.constantFrom('always', 'negative', 'never'), symbol: fc.boolean() },
  { requiredKeys: [] },
)

/** Formats an amount without Intl. */
function digitByDigit(amount: bigint, asset: Asset, { sign = 'negative', symbol = true }: MoneyOptions): string {
  const { decimals, symbol: ownSymbol } = ASSETS[asset]
  const digits = amount
    .toString()
    .replace('-', '')
    .padStart(decimals + 1, '0')
  const integerPart = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  const positive = sign === 'always' && amount > 0n ? '+' : ''
  const mark = sign !== 'never' && amount < 0n ? '−' : positive
  return `${mark}${symbol ? ownSymbol : ''}${integerPart}${fraction}`
}

describe('money', () => {
  it('in English is written digit by digit', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(...ASSET_CODES), options, (amountMinor, asset, chosen) => {
        expect(money(amountMinor, asset, chosen)).toBe(digitByDigit(BigInt(amountMinor), asset, chosen))
      }),
      { numRuns: 1000 },
    )
  })

  it('loses no digit in any language', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom(...ASSET_CODES),
        fc.constantFrom('de', 'fr', 'pl', 'ja', 'hi', 'ar', 'he'),
        (amountMinor, asset, language) => {
          speak(language)
          const digits = money(amountMinor, asset).replaceAll(/\D/g, '')
          expect(BigInt(digits)).toBe(amountMinor < 0 ? -BigInt(amountMinor) : BigInt(amountMinor))
        },
      ),
    )
  })

  it.each([
    ['en', '−$1,234.56', '+₿0.00000001', '20,250'],
    ['de', '−1.234,56\u00a0$', '+0,00000001\u00a0₿', '20.250'],
    ['fr', '−1\u202f234,56\u00a0$', '+0,00000001\u00a0₿', '20\u202f250'],
    ['ja', '−$1,234.56', '+₿0.00000001', '20,250'],
    ['ar', '\u2066−$1,234.56\u2069', '\u2066+₿0.00000001\u2069', '\u206620,250\u2069'],
  ])('follows the rules of %s', (language, dollars, bitcoin, points) => {
    speak(language)
    expect(withoutMarks(money(-123456, 'USD'))).toBe(dollars)
    expect(withoutMarks(money(1, 'BTC', { sign: 'always' }))).toBe(bitcoin)
    expect(withoutMarks(money(20250, 'POINTS'))).toBe(points)
  })

  it('omits the decimals of a whole amount in the short form', () => {
    expect(money(20_00, 'USD', { short: true })).toBe('$20')
    expect(money(20_50, 'USD', { short: true })).toBe('$20.50')
  })

  it('accepts only whole minor units', () => {
    expect(() => money(0.5, 'USD')).toThrow(RangeError)
  })

  it('is available in parts', () => {
    speak('de')
    expect(moneyParts(-1_234_56, 'USD').map(({ type }) => type)).toEqual([
      'minusSign',
      'integer',
      'group',
      'integer',
      'decimal',
      'fraction',
      'literal',
      'currency',
    ])
  })
})

it('other numbers have the format of the current language', () => {
  expect([percentage(57), waitText(700)]).toEqual(['57%', 'in 12 minutes'])
  speak('de')
  expect([percentage(57), waitText(700)]).toEqual(['57\u00a0%', 'in 12 Minuten'])
})

describe('rates', () => {
  it('are hundredths of a percent, and changes have a sign and two decimals', () => {
    expect(rateText(690)).toBe('6.9%')
    expect(rateText(25)).toBe('0.25%')
    expect([240, 0, -241].map(changeText)).toEqual(['+2.40%', '0.00%', '−2.41%'])
  })

  it('are written from left to right like the amounts beside them', () => {
    speak('ar')
    expect(rateText(690)).toBe('\u20666.9%\u2069')
    expect(changeText(-241)).toBe('\u2066−2.41%\u2069')
  })
})
