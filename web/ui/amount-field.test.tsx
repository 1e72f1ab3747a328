// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import fc from 'fast-check'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAmount as readIn } from '#contract/amounts.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import { type Asset, MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { ENGLISH } from '#web/i18n/english.ts'
import { amountText, ungroupAmount, parseAmount } from '#web/lib/amounts.ts'
import { AmountField } from '#web/ui/amount-field.tsx'

type FieldLook = 'big' | 'line' | 'inline'

/** All amount fields of all screens, with their names, their looks and the assets of their amounts. */
const FIELDS: readonly { file: string; fields: readonly string[]; look?: FieldLook; assets?: readonly Asset[] }[] = [
  { file: 'accounts/add-money-screen.tsx', fields: ['amount'] },
  { file: 'accounts/transactions/filter-sheet.tsx', fields: ['min', 'max'], look: 'line' },
  { file: 'bills/bill-fields.tsx', fields: ['amount'] },
  { file: 'bills/sharing-fields.tsx', fields: ['shares'], look: 'inline' },
  { file: 'cards/create-sheet.tsx', fields: ['limit', 'load'], look: 'line' },
  { file: 'cards/move-sheet.tsx', fields: ['amount'] },
  { file: 'cards/settings-sheet.tsx', fields: ['payment', 'month'], look: 'line' },
  { file: 'crypto/sheets/trade/limit-order.tsx', fields: ['limit'], look: 'line' },
  { file: 'crypto/sheets/trade/trade-amount-field.tsx', fields: ['amount'], assets: ['USD', 'BTC', 'ETH', 'LTC'] },
  { file: 'insights/budget-form.tsx', fields: ['amount'], look: 'line' },
  { file: 'investing/sheets/invest.tsx', fields: ['amount'] },
  { file: 'investing/sheets/new-plan.tsx', fields: ['amount'] },
  {
    file: 'investing/sheets/sell.tsx',
    fields: ['units'],
    assets: ['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE'],
  },
  { file: 'loans/sheets/pay-extra.tsx', fields: ['amount'] },
  { file: 'payment-methods/move-out.tsx', fields: ['amount'] },
  { file: 'payment-methods/verify.tsx', fields: ['first and second'], look: 'line' },
  { file: 'payments/transfer-screen.tsx', fields: ['amount'] },
  { file: 'requests/pay-form.tsx', fields: ['amount'] },
  { file: 'requests/request-screen.tsx', fields: ['amount'] },
  { file: 'sample/pay-in-sheet.tsx', fields: ['amount'] },
  { file: 'savings/savings-screen.tsx', fields: ['amount'] },
  { file: 'savings/sheets/goal-details.tsx', fields: ['target'] },
  { file: 'savings/sheets/monthly-saving.tsx', fields: ['amount'] },
  { file: 'savings/sheets/move-money.tsx', fields: ['amount'] },
  { file: 'schedules/shared/schedule-form.tsx', fields: ['amount'] },
]

const WEB = join(import.meta.dirname, '..')

/** An example in a comment is not a field. */
const withoutComments = (text: string): string => text.replaceAll(/^\s*\*.*$/gm, '')

const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: withoutComments(readFileSync(join(WEB, file), 'utf8')) }))

const namesOf = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('every amount field of every screen is in the list', () => {
  const fieldCounts = sources.flatMap(({ file, text }) => {
    const count = file.startsWith('ui/') ? 0 : [...text.matchAll(/<AmountField\b/g)].length
    return count === 0 ? [] : [{ file, count }]
  })
  const listedFields = FIELDS.map(({ file, fields }) => ({ file, count: fields.length }))
  expect(fieldCounts.toSorted((a, b) => a.file.localeCompare(b.file))).toEqual(listedFields)
  for (const { file, look } of FIELDS) {
    const text = sources.find((source) => source.file === file)?.text ?? ''
    expect([file, new Set(text.match(/(?<=look=")\w+/g))]).toEqual([file, new Set(look ? [look] : [])])
  }
})

test('no other field accepts amounts, and all use one parser', () => {
  expect(namesOf(/inputMode(?:=|:\s*)\{?['"]decimal|type(?:=|:\s*)\{?['"]number['"]/)).toEqual(['ui/amount-field.tsx'])
  expect(namesOf(/#contract\/amounts\.ts/)).toEqual(['lib/amounts.ts'])
})

/** Switches the language. The field is removed first. */
function speak(language: string): void {
  close()
  i18n.loadAndActivate({ locale: language, messages: ENGLISH })
}

let root: Root | null = null
let box: HTMLElement
/** The last text that the form received. */
let lastText = ''

function Form({ look, asset }: { look: FieldLook; asset: Asset }) {
  const [value, setValue] = useState('')
  return (
    <I18nProvider i18n={i18n}>
      <AmountField
        label="Amount"
        look={look}
        asset={asset}
        value={value}
        onChange={(text) => {
          lastText = text
          setValue(text)
        }}
      />
    </I18nProvider>
  )
}

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  box = document.body.appendChild(document.createElement('div'))
})
afterEach(() => {
  speak('en')
  box.remove()
})

function close(): void {
  act(() => root?.unmount())
  root = null
}

function show(look: FieldLook, asset: Asset): HTMLInputElement {
  close()
  lastText = ''
  const newRoot = createRoot(box)
  root = newRoot
  act(() => newRoot.render(<Form look={look} asset={asset} />))
  return box.querySelector('input') as HTMLInputElement
}

const setNative = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

/** Adds a text to the field's value, as one key press or one paste does. */
function add(input: HTMLInputElement, text: string): void {
  const next = input.value + text
  act(() => {
    setNative?.call(input, next)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const enter = (input: HTMLInputElement) => act(() => input.focus())
const leave = (input: HTMLInputElement) => act(() => input.blur())
const live = () => box.querySelector('[aria-live]')?.textContent
const buttons = () => [...box.querySelectorAll('button')]

const cases = FIELDS.flatMap(({ look = 'big', assets = ['USD'] }) => assets.map((asset) => ({ look, asset })))
const amountTexts = fc.oneof(
  fc.string({
    unit: fc.constantFrom('0', '1', '5', '000', '500', '.', ',', ' ', "'", '٬', '-', 'e', '$'),
    maxLength: 8,
  }),
  fc.nat({ max: 10 ** 9 }).map((minor) => (minor / 100).toLocaleString('de')),
  fc.nat({ max: 10 ** 9 }).map((minor) => (minor / 100).toLocaleString('en')),
)

test('a text, typed, pasted or both, is one amount or none, and none of its characters change', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.constantFrom(...LANGUAGE_CODES),
      amountTexts,
      fc.nat({ max: 8 }),
      ({ look, asset }, language, text, pasteStart) => {
        speak(language)
        const readings = [
          Array.from(text),
          [text],
          [text.slice(0, pasteStart), ...Array.from(text.slice(pasteStart))],
        ].map((pieces) => {
          const input = show(look, asset)
          enter(input)
          for (const piece of pieces) add(input, piece)
          expect([input.value, lastText]).toEqual([text, text])
          const reading = parseAmount(lastText, asset)
          leave(input)
          // After it loses the focus, the field shows the amount that is sent. A text that is not an amount stays unchanged.
          expect(input.value).toBe(reading.state === 'read' ? amountText(reading.amountMinor, asset) : text)
          expect(parseAmount(lastText, asset)).toEqual(reading)
          if (reading.state === 'read') expect(live() !== '' || text === '').toBe(true)
          // When it gets the focus again, the field shows the same amount, so that the next key is added to the visible text.
          enter(input)
          expect(parseAmount(input.value, asset)).toEqual(reading)
          const visibleText = input.value
          add(input, '0')
          expect([input.value, lastText]).toEqual([`${visibleText}0`, `${visibleText}0`])
          return reading
        })
        expect(new Set(readings.map((reading) => JSON.stringify(reading))).size).toBe(1)
        const bare = readIn(text, { language, asset })
        expect(readings[0]).toEqual(bare.state === 'read' && bare.amountMinor === 0 ? { state: 'invalid' } : bare)
      },
    ),
    { numRuns: 60 },
  )
})

test('the bank’s own format in a field is parsed as its value, with and without separators', () => {
  const amounts = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR })
  fc.assert(
    fc.property(
      amounts,
      fc.constantFrom(...cases),
      fc.constantFrom(...LANGUAGE_CODES),
      (minor, { asset }, language) => {
        i18n.loadAndActivate({ locale: language, messages: ENGLISH })
        for (const text of [amountText(minor, asset), ungroupAmount(amountText(minor, asset), asset)])
          expect(parseAmount(text, asset)).toEqual({ state: 'read', amountMinor: minor })
      },
    ),
    { numRuns: 1000 },
  )
})

test.each<[string, Asset, string, string]>([
  ['en', 'USD', '12.5', '12.50'],
  ['en', 'USD', '1,000', '1,000.00'],
  ['en', 'USD', '12,50', '12.50'],
  ['de', 'USD', '1.000', '1.000,00'],
  ['fr', 'USD', '1 234,5', '1\u202f234,50'],
  ['ar', 'USD', '١٬٢٣٤٫٥', '1,234.50'],
  ['ja', 'USD', '１２３４．５', '1,234.50'],
  ['en', 'BTC', '0.0450', '0.045'],
  ['en', 'BTC', '1.50000000', '1.5'],
  ['en', 'BTC', '100', '100'],
  ['en', 'BTC', '1000', '1,000.00'],
  ['en', 'USD', '0,500', '0,500'],
  ['en', 'USD', '1e3', '1e3'],
  ['en', 'USD', '-5', '-5'],
  ['en', 'USD', '0', '0'],
])('in %s, %s: %j is shown as %j after the field is left', (language, asset, text, shown) => {
  speak(language)
  const input = show('big', asset)
  enter(input)
  add(input, text)
  leave(input)
  expect(input.value).toBe(shown)
})

test('shows the amount after the field is left, and not during typing', () => {
  const input = show('line', 'USD')
  enter(input)
  add(input, '1,000')
  expect(live()).toBe('')
  leave(input)
  expect(live()).toBe('$1,000.00')
  enter(input)
  expect(input.value).toBe('1000.00')
  expect(lastText).toBe('1,000.00')
})

test('offers two possible amounts, and writes the chosen one', () => {
  const input = show('big', 'USD')
  enter(input)
  add(input, '1.000')
  expect(buttons().map(({ textContent }) => textContent)).toEqual(['$1,000.00', '$1.00'])
  expect(live()).toBe('Which amount did you mean? $1,000.00 $1.00')
  leave(input)
  expect(input.value).toBe('1.000')
  act(() => buttons()[1]?.click())
  expect([lastText, live(), buttons()]).toEqual(['1.00', '$1.00', []])
  expect(document.activeElement).toBe(input)
})

test('asks about the single possible amount of an ambiguous text', () => {
  const input = show('inline', 'USD')
  enter(input)
  add(input, '0,500')
  expect(live()).toBe('Did you mean this amount? $0.50')
  act(() => buttons()[0]?.click())
  expect(lastText).toBe('0.50')
})
