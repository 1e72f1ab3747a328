import { PDFiumLibrary } from '@hyzyla/pdfium'
import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { MARGIN, pdfOf, writeText } from '#server/platform/pdf/page.ts'

const LEFT = 100
const WIDTH = 150

/** Returns a file with a text in a column. */
async function fileOf(text: string, language = 'en') {
  const style = { weight: 'regular', size: 10, color: '#000' } as const
  return pdfOf(
    { language, title: 'Test', madeAt: '2026-08-28T09:41:00Z', footer: '', pageOf: '' },
    async function* draw(page) {
      await page.prepare([text])
      writeText(page, text, style, { x: LEFT, y: MARGIN, width: WIDTH })
      yield
    },
  )
}

/** Returns the texts that a program reads from the file, in the order of drawing, with their widths. */
async function readBack(text: string, language = 'en'): Promise<{ text: string; width: number }[]> {
  const page = await (await getDocumentProxy(await fileOf(text, language))).getPage(1)
  const { items } = await page.getTextContent()
  return items.flatMap((item) => ('str' in item && item.str !== '' ? [{ text: item.str, width: item.width }] : []))
}

/** Returns the left and the right end of the drawn text, in points. */
async function inkOf(text: string): Promise<{ left: number; right: number }> {
  const document = await (await PDFiumLibrary.init()).loadDocument(await fileOf(text))
  const { data, width } = await document.getPage(0).render({ scale: 1, render: 'bitmap' })
  const drawnPixels = Array.from({ length: data.length / 4 }, (_, pixel) => pixel).filter(
    (pixel) => data[4 * pixel] !== 255,
  )
  const columns = [...new Set(drawnPixels.map((pixel) => pixel % width))]
  return { left: Math.min(...columns), right: Math.max(...columns) }
}

const textOf = (items: readonly { text: string }[]) => items.map(({ text }) => text).join('')

test.each([
  ['emoji', '🐟🍟 '.repeat(20)],
  ['scripts of other continents', 'ᚠᛇᚻ ꦲꦏ ሰላም ไทย हिन्दी עברית '.repeat(3)],
  ['one long word of them', '🐟'.repeat(60)],
  ['one endless syllable', 'क्'.repeat(300) + 'ष'],
  ['endless joined emoji of people', '🧑\u200D'.repeat(60) + '🧑'],
  ['characters outside the first plane', '𝕬𝖑𝖉𝖊𝖗 '.repeat(10)],
  ['letters with joined marks', 'مُحَمَّدٌ'.repeat(40)],
])('%s stay in their column', async (_case, text) => {
  const { left, right } = await inkOf(text)
  expect(left).toBeGreaterThanOrEqual(LEFT - 1)
  expect(right).toBeLessThanOrEqual(LEFT + WIDTH + 1)
})

test.each([
  ['Hebrew', 'שלום'],
  ['Thai', 'ที่นี่'],
  ['Hindi, with syllables whose parts are reordered', 'हिन्दी'],
  ['Hindi, with letters that form ligatures', 'क्षत्रिय'],
  ['Bengali', 'বাংলা'],
  ['Tamil', 'தமிழ்'],
  ['Telugu', 'తెలుగు'],
  ['Gujarati', 'ગુજરાતી'],
  ['Punjabi', 'ਪੰਜਾਬੀ'],
  ['Kannada', 'ಕನ್ನಡ'],
  ['Malayalam', 'മലയാളം'],
  ['Sinhala', 'සිංහල'],
  ['Lao', 'ພາສາລາວ'],
  ['Khmer', 'ភាសាខ្មែរ'],
  ['Burmese', 'မြန်မာ'],
  ['Korean', '한국어'],
  ['Georgian', 'ქართული'],
  ['Armenian', 'Հայերեն'],
  ['Amharic', 'ሰላም'],
  ['Arabic, with letters that differ only in their dots', 'غازز'],
  ['Arabic, after another word with the same shapes', 'عارر'],
  ['Arabic, with letters that form ligatures', 'الإسلام'],
  ['Arabic, with marks', 'مُحَمَّد'],
  ['Arabic digits', '١٢٣٫٤٥'],
  ['Urdu', 'ٹیلیفون'],
  ['Cyrillic, with letters that look like Latin ones', 'АВС'],
  ['Greek, with letters that look like Latin ones', 'ΑΒ'],
  ['emoji', '🐟🍟'],
  ['emoji of several people', '🧑\u200D🧑\u200D🧒'],
  ['flags', '🇺🇸'],
])('%s is drawn, and can be extracted unchanged', async (_case, text) => {
  // Programs guess the ends of words from the gaps between letters, so spaces are ignored.
  expect(textOf(await readBack(text)).replaceAll(' ', '')).toBe(text)
})

test('the spacing of a period is the same after a seven as after other digits', async () => {
  const widths = await Promise.all(
    ['7.5', '3.5', '1.5'].map(async (figure) => (await readBack(figure))[0]?.width.toFixed(3)),
  )
  expect(new Set(widths).size).toBe(1)
})

test('a Japanese character outside the first plane is drawn correctly', async () => {
  expect(textOf(await readBack('\u{20BB7}野家', 'ja'))).toBe('\u{20BB7}野家')
})

test.each([
  ['stacked', 'a' + '\u0300'.repeat(80), 'à\u0300'],
  ['of several kinds', 'Z' + '\u0334\u0321\u0300\u0489\u0357'.repeat(20), 'Z\u0300\u0489'],
  ['separated by invisible characters', 'x' + '\u0302\u0302\u200B\u0302\u200D\u034F\u0302'.repeat(20), 'x\u0302\u0302'],
  ['separated by direction marks', 'x' + '\u0302\u0302\u200E'.repeat(20), 'x\u0302\u0302'],
  ['on a space', ' ' + '\u0302'.repeat(20) + 'x', '\u0302\u0302x'],
  ['on a letter that is missing in the fonts', 'ꦲ' + '\uA9BF'.repeat(20), '□'],
  ['of Thai', 'ก' + '\u0E49'.repeat(20), 'ก\u0E49'],
  ['of Arabic', 'ب' + '\u064E'.repeat(20), 'ب\u064E'],
  ['of Vietnamese', 'Nguyễn Thị Diệu'.normalize('NFD'), 'Nguyễn Thị Diệu'],
  ['of ancient Greek', 'τῷ ᾧ'.normalize('NFD'), 'τῷ ᾧ'],
])('marks %s do not overlap other lines', async (_case, text, expected) => {
  const items = textOf(await readBack(text)).normalize('NFC')
  expect(items.match(/\p{M}{3}/u)).toBeNull()
  expect(items.trim()).toBe(expected.normalize('NFC'))
})

test('an Arabic letter that is in no font has a replacement', async () => {
  expect(textOf(await readBack('ڢ', 'ar'))).toBe('□')
})
