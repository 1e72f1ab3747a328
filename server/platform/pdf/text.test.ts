import { expect, test } from 'vitest'
import { isRightToLeft, isWide } from '#server/platform/pdf/script-fonts.ts'
import type { TextDirection } from '#server/platform/pdf/shaping.ts'
import { type Box, layText, type Sheet, type Style } from '#server/platform/pdf/text.ts'

const style = { weight: 'regular', size: 10, color: '#000' } as const

/** Writes text into a box and returns its lower end. */
function writeText(sheet: Sheet, text: string, look: Style, { x, y, width }: Box): number {
  const laid = layText(sheet, text, look, width)
  laid.draw(x, y)
  return y + laid.height
}

/** A page on which every character has a width of five, and the texts written on it. */
function page(direction: TextDirection = 'ltr') {
  const written: { text: string; x: number; font: string }[] = []
  const measured: string[] = []
  let font = ''
  const doc = {
    fontSize: () => doc,
    fillColor: () => doc,
    font: (name: string) => {
      font = name
      return doc
    },
    text: (text: string, x: number) => {
      written.push({ text, x, font })
      return doc
    },
  }
  const fontOf = (character: string) => (isRightToLeft(character) ? 'arabic' : isWide(character) ? 'wide' : 'latin')
  const widthOf = (_font: string, text: string) => {
    measured.push(text)
    return text.length * 5
  }
  const fonts = { of: fontOf, has: () => true, isOne: () => true, widthOf }
  return { page: { doc: doc as unknown as PDFKit.PDFDocument, direction, fonts }, written, measured }
}

test('a line of English text is drawn at the given position', () => {
  const { page: sheet, written } = page()
  const end = writeText(sheet, 'Card (main)', style, { x: 10, y: 0, width: 200 })
  expect(written).toEqual([{ text: 'Card (main)', x: 10, font: 'latin' }])
  expect(end).toBeCloseTo(12.1)
})

test('an Arabic line begins at the right, with its digits and Latin names from left to right', () => {
  const { page: sheet, written } = page('rtl')
  writeText(sheet, 'مبلغ 12.50 من Alder', style, { x: 0, y: 0, width: 100 })
  expect(written.map(({ text, font }) => [text, font])).toEqual([
    ['Alder', 'latin'],
    [' ', 'latin'],
    ['من', 'arabic'],
    [' ', 'latin'],
    ['12.50', 'latin'],
    [' ', 'latin'],
    ['مبلغ', 'arabic'],
  ])
  expect(written.at(-1)).toMatchObject({ x: 80 })
})

test('brackets are mirrored, and direction marks are applied and invisible', () => {
  const { page: sheet, written } = page('rtl')
  writeText(sheet, 'مبلغ (\u2066−$5.60\u2069)', style, { x: 0, y: 0, width: 100 })
  expect(written.map(({ text }) => text).join('')).toBe('(−$5.60) مبلغ')
})

test('long text continues in the next line, including long words', () => {
  const { page: sheet, written } = page()
  writeText(sheet, 'one two three fourfivesix', style, { x: 0, y: 0, width: 40 })
  expect(written.map(({ text }) => text)).toEqual(['one two', 'three', 'fourfive', 'six'])
})

test.each([
  ['a long word', 'q'.repeat(2_000)],
  ['many short ones', 'qq '.repeat(700)],
  ['letters of East Asia', '大'.repeat(2_000)],
])('%s takes linear time to break', (_case, text) => {
  const { page: sheet, written, measured } = page()
  writeText(sheet, text, style, { x: 0, y: 0, width: 500 })
  expect(written.map(({ text: line }) => line).join('').length).toBeGreaterThan(1_900)
  expect(measured.join('').length).toBeLessThan(10 * text.length)
})

test('Chinese and Japanese text breaks between characters, and no line begins with a period', () => {
  const { page: sheet, written } = page()
  writeText(sheet, '余额不足。请重试（稍后）', style, { x: 0, y: 0, width: 20 })
  expect(written.map(({ text, font }) => [text, font])).toEqual([
    ['余额不', 'wide'],
    ['足。请重', 'wide'],
    ['试（稍', 'wide'],
    ['后）', 'wide'],
  ])
})

test('a mark stays with its letter, in every reading direction and at every line break', () => {
  const turnedPage = page()
  writeText(turnedPage.page, '\u202Eq\u0303r', style, { x: 0, y: 0, width: 100 })
  expect(turnedPage.written.map(({ text }) => text)).toEqual(['rq\u0303'])
  const narrowPage = page()
  writeText(narrowPage.page, 'qqqq\u0303q', style, { x: 0, y: 0, width: 20 })
  expect(narrowPage.written.map(({ text }) => text)).toEqual(['qqq', 'q\u0303q'])
  const rtlPage = page('rtl')
  writeText(rtlPage.page, 'من \u{20BB7}野家', style, { x: 0, y: 0, width: 100 })
  expect(rtlPage.written.map(({ text, font }) => [text, font])).toEqual([
    ['\u{20BB7}野家', 'wide'],
    [' ', 'latin'],
    ['من', 'arabic'],
  ])
})
