import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AmountReading, amountsIn, parseDigits, marksOf, readAmount } from '#contract/amounts.ts'
import { intlLocale, LANGUAGE_CODES, type Language } from '#contract/languages.ts'
import { type Asset, ASSET_CODES, ASSETS, formatAmount, MAX_AMOUNT_MINOR } from '#contract/money.ts'

const POINT: readonly Language[] = ['en', 'zh', 'ja', 'ar']
const COMMA: readonly Language[] = ['es', 'de', 'it', 'pt', 'nl']
const SPACE: readonly Language[] = ['fr', 'pl']

const read = (text: string, language: string, asset: Asset = 'USD') => readAmount(text, { language, asset })

/** Returns a short form of a reading: an amount, the possible amounts, or a refusal. */
function shortForm(reading: AmountReading): number | readonly number[] | string {
  if (reading.state === 'read') return reading.amountMinor
  return reading.state === 'unsure' ? reading.readings : reading.state
}

const ALIKE: [string, ReturnType<typeof shortForm>][] = [
  ['', 'empty'],
  ['\u00a0', 'empty'],
  ['0', 0],
  ['007', 7_00],
  ['12', 12_00],
  ['12.5', 12_50],
  ['12,5', 12_50],
  ['12.50', 12_50],
  ['12,50', 12_50],
  ['.5', 50],
  ['$12', 12_00],
  ['12,50\u00a0$', 12_50],
  ['\u2066$12.50\u2069', 12_50],
  ['1234.50', 1_234_50],
  ['1.234,50', 1_234_50],
  ['1,234.50', 1_234_50],
  ["1'234.50", 1_234_50],
  ['1’234,50', 1_234_50],
  ['1 234', 1_234_00],
  ['1\u00a0234,50', 1_234_50],
  ['1\u202f234.50', 1_234_50],
  ['1.234.567', 1_234_567_00],
  ['1,234,567', 1_234_567_00],
  ['１，２３４．５０', 1_234_50],
  ['١٬٢٣٤٫٥٠', 1_234_50],
  ['۱۲٫۵', 12_50],
  ['1234.50\t', 1_234_50],
  ['100\t200', 'invalid'],
  ['100\n200', 'invalid'],
  ['0٬500', 'invalid'],
  ['0 500', 'invalid'],
  ['0 500,00', 'invalid'],
  ['0,001', 'invalid'],
  ['0.001', 'invalid'],
  ['0,500.00', 'invalid'],
  ['00,500', [50]],
  ['01,000.00', 'invalid'],
  ['1,00,000', 'invalid'],
  ['1,000.000', 'invalid'],
  ['1,234.567,89', 'invalid'],
  ['12 34,50', 'invalid'],
  ['1  234', 'invalid'],
  ['12.3456', 'invalid'],
  ['1.2.3', 'invalid'],
  ['1..2', 'invalid'],
  ['1e3', 'invalid'],
  ['-5', 'invalid'],
  ['−5', 'invalid'],
  ['+5', 'invalid'],
  ['(5)', 'invalid'],
  ['$', 'invalid'],
  ['$$5', 'invalid'],
  ['5 USD', 'invalid'],
  ['5€', 'invalid'],
  ['五', 'invalid'],
  ['½', 'invalid'],
  ['5%', 'invalid'],
  ['.', 'invalid'],
  ['0x10', 'invalid'],
  ['NaN', 'invalid'],
  ['9'.repeat(200), 'invalid'],
  ['90071992547409.91', MAX_AMOUNT_MINOR],
  ['90071992547409.92', 'too_large'],
]

describe.each(LANGUAGE_CODES)('amounts in %s', (language) => {
  test.each(ALIKE)('%j is %j', (text, expected) => {
    expect(shortForm(read(text, language))).toEqual(expected)
  })
})

/** Numbers with three digits after their only mark. The result depends on the meaning of the mark in the language. */
test.each<[readonly Language[], Asset, string, ReturnType<typeof shortForm>]>([
  [POINT, 'USD', '1,000', 1_000_00],
  [POINT, 'USD', '1.000', [1_000_00, 1_00]],
  [POINT, 'USD', '12.340', [12_340_00, 12_34]],
  [POINT, 'USD', '12.345', [12_345_00]],
  [POINT, 'USD', '0,500', [50]],
  [POINT, 'USD', '0.500', [50]],
  [POINT, 'USD', '.500', [50]],
  [POINT, 'USD', '1234,567', 'invalid'],
  [POINT, 'USD', '1234.500', [1_234_50]],
  [POINT, 'USD', '12,', 'invalid'],
  [POINT, 'USD', '12.', 12_00],
  [COMMA, 'USD', '1.000', 1_000_00],
  [COMMA, 'USD', '1,000', [1_000_00, 1_00]],
  [COMMA, 'USD', '0.500', [50]],
  [COMMA, 'USD', '0,500', [50]],
  [COMMA, 'USD', '12.', 'invalid'],
  [SPACE, 'USD', '1.000', [1_000_00, 1_00]],
  [SPACE, 'USD', '1,000', [1_000_00, 1_00]],
  [SPACE, 'USD', '1.234', [1_234_00]],
  // A coin has more than three decimals. The mark may therefore separate thousands or decimals.
  [POINT, 'BTC', '1,234', [1_234_0000_0000, 1_2340_0000]],
  [POINT, 'BTC', '1.234', 1_2340_0000],
  [POINT, 'BTC', '0,005', [50_0000]],
  [POINT, 'BTC', '0,0050', 50_0000],
  [POINT, 'BTC', '₿0.005', 50_0000],
  [COMMA, 'BTC', '0.005', [50_0000]],
  [COMMA, 'BTC', '0,005', 50_0000],
  [SPACE, 'BTC', '0.005', 50_0000],
  [SPACE, 'BTC', '1.234', [1_234_0000_0000, 1_2340_0000]],
  [POINT, 'POINTS', '1,000', 1_000],
  [POINT, 'POINTS', '1.000', [1_000, 1]],
  [POINT, 'POINTS', '1.5', 'invalid'],
  [COMMA, 'FUND_BALANCED', '1.500', [1_500_000_000, 1_500_000]],
])('%j, %s: %j is %j', (languages, asset, text, expected) => {
  for (const language of languages)
    expect([language, shortForm(read(text, language, asset))]).toEqual([language, expected])
})

const minor = fc.integer({ min: 0, max: MAX_AMOUNT_MINOR })

test('reads every amount as the bank writes it, in every language', () => {
  fc.assert(
    fc.property(
      minor,
      fc.constantFrom(...ASSET_CODES),
      fc.constantFrom(...LANGUAGE_CODES),
      (amount, asset, language) => {
        expect(shortForm(read(formatAmount(amount, asset, { language }), language, asset))).toBe(amount)
      },
    ),
    { numRuns: 1000 },
  )
})

/** Returns the amount that a text means under one convention of marks, or null if the text breaks that convention. */
function readByConvention(
  text: string,
  { decimal, group }: { decimal: string; group: string },
  asset: Asset,
): bigint | null {
  const [integerPart = '', fraction = '', ...extraParts] = text.split(decimal)
  const parts = group === '' ? [integerPart] : integerPart.split(group)
  if (extraParts.length > 0 || !/\d/.test(text) || ![...parts, fraction].every((part) => /^\d*$/.test(part)))
    return null
  if (parts.length > 1 && !(/^[1-9]\d{0,2}$/.test(parts[0] ?? '') && parts.slice(1).every((part) => part.length === 3)))
    return null
  const { decimals } = ASSETS[asset]
  if (/[1-9]/.test(fraction.slice(decimals))) return null
  return BigInt(parts.join('') + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

test('refuses an amount that no convention allows, and an amount with two equally plausible readings', () => {
  const conventions = [',', ' ', "'", '']
    .map((group) => ({ decimal: '.', group }))
    .concat(['.', ' ', "'", ''].map((group) => ({ decimal: ',', group })))
  const text = fc.string({
    unit: fc.constantFrom('0', '1', '5', '00', '500', '.', ',', ' ', "'", '-', 'e'),
    maxLength: 9,
  })
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...ASSET_CODES),
      fc.constantFrom(...LANGUAGE_CODES),
      (typedText, asset, language) => {
        const reading = read(typedText, language, asset)
        const possibleAmounts = new Set(
          conventions.flatMap((marks) => readByConvention(typedText.trim(), marks, asset) ?? []).map(Number),
        )
        if (reading.state === 'read') {
          expect(possibleAmounts).toContain(reading.amountMinor)
          const languageMarks = marksOf(intlLocale(language))
          const ownGroup = languageMarks.group.trim() === '' ? ' ' : languageMarks.group
          const inOwn = readByConvention(typedText.trim(), { decimal: languageMarks.decimal, group: ownGroup }, asset)
          // The amount is read by the language's own marks, or because no other marks give a different amount.
          if (inOwn === null) expect([...possibleAmounts]).toEqual([reading.amountMinor])
          else expect(reading.amountMinor).toBe(Number(inOwn))
        }
        if (reading.state === 'unsure') for (const amount of reading.readings) expect(possibleAmounts).toContain(amount)
      },
    ),
    { numRuns: 3000 },
  )
})

test('finds the amounts in a search text regardless of their sign', () => {
  for (const text of ['78', '-78', '−$78.00', '+78', '$-78', '\u2066−$78.00\u2069', '78,00 $'])
    expect([text, amountsIn(text, 'en')]).toEqual([text, [78_00]])
  expect(amountsIn('1.000', 'en')).toEqual([1_000_00, 1_00])
  expect(amountsIn('0,500', 'en')).toEqual([50])
  expect(amountsIn('Fern & Kettle', 'en')).toEqual([])
})

test('parses a number with a known decimal mark', () => {
  expect(parseDigits('1.006,60', ',')).toEqual({ whole: '1006', fraction: '60' })
  expect(parseDigits('1.006,60', '.')).toBeNull()
  expect(parseDigits('0,500', '.')).toBeNull()
  expect(parseDigits('1,400', ',')).toEqual({ whole: '1', fraction: '400' })
  expect(parseDigits('1,400', '.')).toEqual({ whole: '1400', fraction: '' })
})
