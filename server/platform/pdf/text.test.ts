import { expect, test } from 'vitest'
import { writeText } from '#server/platform/pdf/text.ts'

const fonts = { latin: 'latin', arabic: 'arabic' }
const style = { fonts, size: 10, color: '#000' }

/** A page on which every character is five wide, and what was written on it. */
function page() {
  const written: { text: string; x: number; font: string }[] = []
  let font = ''
  const doc = {
    fontSize: () => doc,
    fillColor: () => doc,
    font: (name: string) => {
      font = name
      return doc
    },
    widthOfString: (text: string) => text.length * 5,
    text: (text: string, x: number) => {
      written.push({ text, x, font })
      return doc
    },
  }
  return { doc: doc as unknown as PDFKit.PDFDocument, written }
}

test('English stands where it always did', () => {
  const { doc, written } = page()
  const end = writeText(doc, 'Card (main)', style, { x: 10, y: 0, width: 200 }, 'ltr')
  expect(written).toEqual([{ text: 'Card (main)', x: 10, font: 'latin' }])
  expect(end).toBeCloseTo(12.1)
})

test('an Arabic line begins at the right, with its figures and names from left to right', () => {
  const { doc, written } = page()
  writeText(doc, 'مبلغ 12.50 من Alder', style, { x: 0, y: 0, width: 100 }, 'rtl')
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

test('brackets are turned around, and marks of direction are obeyed and not seen', () => {
  const { doc, written } = page()
  writeText(doc, 'مبلغ (\u2066-$5.60\u2069)', style, { x: 0, y: 0, width: 100 }, 'rtl')
  expect(written.map(({ text }) => text).join('')).toBe('(-$5.60) مبلغ')
})

test('what is too long goes on in the next line, a long word too', () => {
  const { doc, written } = page()
  writeText(doc, 'one two three fourfivesix', style, { x: 0, y: 0, width: 40 }, 'ltr')
  expect(written.map(({ text }) => text)).toEqual(['one two', 'three', 'fourfive', 'six'])
})
