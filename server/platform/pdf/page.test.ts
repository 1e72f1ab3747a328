import { PDFiumLibrary } from '@hyzyla/pdfium'
import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { MARGIN, pdfOf, write } from '#server/platform/pdf/page.ts'

const LEFT = 100
const WIDTH = 150

/** A file with a text in a column. */
async function fileOf(text: string, language = 'en') {
  const style = { weight: 'regular', size: 10, color: '#000' } as const
  return pdfOf(
    { language, title: 'Test', madeAt: '2026-08-28T09:41:00Z', footer: '', pageOf: '' },
    async function* draw(page) {
      await page.prepare([text])
      write(page, text, style, { x: LEFT, y: MARGIN, width: WIDTH })
      yield
    },
  )
}

/** What a program reads in the file, in the order in which it was drawn, and how wide. */
async function readBack(text: string, language = 'en'): Promise<{ text: string; width: number }[]> {
  const page = await (await getDocumentProxy(await fileOf(text, language))).getPage(1)
  const { items } = await page.getTextContent()
  return items.flatMap((item) => ('str' in item && item.str !== '' ? [{ text: item.str, width: item.width }] : []))
}

/** From where to where something is drawn, in points. */
async function inkOf(text: string): Promise<{ left: number; right: number }> {
  const document = await (await PDFiumLibrary.init()).loadDocument(await fileOf(text))
  const { data, width } = await document.getPage(0).render({ scale: 1, render: 'bitmap' })
  const drawn = Array.from({ length: data.length / 4 }, (_, pixel) => pixel).filter((pixel) => data[4 * pixel] !== 255)
  const columns = [...new Set(drawn.map((pixel) => pixel % width))]
  return { left: Math.min(...columns), right: Math.max(...columns) }
}

const textOf = (items: readonly { text: string }[]) => items.map(({ text }) => text).join('')

test.each([
  ['emoji', '🐟🍟 '.repeat(20)],
  ['scripts of other continents', 'ᚠᛇᚻ ꦲꦏ ሰላም ไทย हिन्दी עברית '.repeat(3)],
  ['one long word of them', '🐟'.repeat(60)],
  ['one syllable without an end', 'क्'.repeat(300) + 'ष'],
  ['people who are joined without an end', '🧑\u200D'.repeat(60) + '🧑'],
  ['letters beyond the first plane', '𝕬𝖑𝖉𝖊𝖗 '.repeat(10)],
  ['letters with marks that are joined', 'مُحَمَّدٌ'.repeat(40)],
])('%s stay in their column', async (_what, text) => {
  const { left, right } = await inkOf(text)
  expect(left).toBeGreaterThanOrEqual(LEFT - 1)
  expect(right).toBeLessThanOrEqual(LEFT + WIDTH + 1)
})

test.each([
  ['Hebrew', 'שלום'],
  ['Thai', 'ที่นี่'],
  ['Hindi, with syllables whose parts change places', 'हिन्दी'],
  ['Hindi, with letters that become one', 'क्षत्रिय'],
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
  ['Arabic, with letters that differ in their dots alone', 'غازز'],
  ['Arabic, after another word had the same shapes', 'عارر'],
  ['Arabic, with letters that become one', 'الإسلام'],
  ['Arabic, with marks', 'مُحَمَّد'],
  ['Arabic digits', '١٢٣٫٤٥'],
  ['Urdu', 'ٹیلیفون'],
  ['Cyrillic, with letters that look like Latin ones', 'АВС'],
  ['Greek, with letters that look like Latin ones', 'ΑΒ'],
  ['emoji', '🐟🍟'],
  ['emoji of several people', '🧑\u200D🧑\u200D🧒'],
  ['flags', '🇺🇸'],
])('%s is drawn, and read back as it was written', async (_what, text) => {
  // Programs guess where words end by the gaps between letters.
  expect(textOf(await readBack(text)).replaceAll(' ', '')).toBe(text)
})

test('a point is as far from a seven as from another figure', async () => {
  const widths = await Promise.all(
    ['7.5', '3.5', '1.5'].map(async (figure) => (await readBack(figure))[0]?.width.toFixed(3)),
  )
  expect(new Set(widths).size).toBe(1)
})

test('a Japanese letter beyond the first plane is drawn as it is', async () => {
  expect(textOf(await readBack('\u{20BB7}野家', 'ja'))).toBe('\u{20BB7}野家')
})

test.each([
  ['stacked', 'a' + '\u0300'.repeat(80), 'à\u0300'],
  ['of several kinds', 'Z' + '\u0334\u0321\u0300\u0489\u0357'.repeat(20), 'Z\u0300\u0489'],
  ['parted by what is not seen', 'x' + '\u0302\u0302\u200B\u0302\u200D\u034F\u0302'.repeat(20), 'x\u0302\u0302'],
  ['parted by marks of direction', 'x' + '\u0302\u0302\u200E'.repeat(20), 'x\u0302\u0302'],
  ['on a space', ' ' + '\u0302'.repeat(20) + 'x', '\u0302\u0302x'],
  ['on a letter that no font has', 'ꦲ' + '\uA9BF'.repeat(20), '□'],
  ['of Thai', 'ก' + '\u0E49'.repeat(20), 'ก\u0E49'],
  ['of Arabic', 'ب' + '\u064E'.repeat(20), 'ب\u064E'],
  ['of Vietnamese', 'Nguyễn Thị Diệu'.normalize('NFD'), 'Nguyễn Thị Diệu'],
  ['of ancient Greek', 'τῷ ᾧ'.normalize('NFD'), 'τῷ ᾧ'],
])('marks %s do not rise over other lines', async (_what, text, expected) => {
  const items = textOf(await readBack(text)).normalize('NFC')
  expect(items.match(/\p{M}{3}/u)).toBeNull()
  expect(items.trim()).toBe(expected.normalize('NFC'))
})

test('a letter of Arabic that no font has has a stand-in', async () => {
  expect(textOf(await readBack('ڢ', 'ar'))).toBe('□')
})
