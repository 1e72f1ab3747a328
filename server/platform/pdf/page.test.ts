import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { MARGIN, pdfOf, write } from '#server/platform/pdf/page.ts'

const LEFT = 100
const WIDTH = 150

type Item = { text: string; left: number; right: number }

/** What a program shows of a text in a column, and from where to where. */
async function shown(text: string, language = 'en'): Promise<Item[]> {
  const style = { weight: 'regular', size: 10, color: '#000' } as const
  const bytes = await pdfOf({ language, title: 'Test', madeAt: '2026-08-28T09:41:00Z' }, async function* draw(page) {
    await page.prepare([text])
    write(page, text, style, { x: LEFT, y: MARGIN, width: WIDTH })
    yield
  })
  const page = await (await getDocumentProxy(bytes)).getPage(1)
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item) || item.str === '') return []
    const left = Number(item.transform[4])
    return [{ text: item.str, left, right: left + item.width }]
  })
}

const textOf = (items: readonly Item[]) => items.map(({ text }) => text).join('')

test.each([
  ['emoji', '🐟🍟 '.repeat(20)],
  ['scripts of other continents', 'ᚠᛇᚻ ꦲꦏ ሰላም ไทย हिन्दी עברית '.repeat(3)],
  ['one long word of them', '🐟'.repeat(60)],
  ['letters beyond the first plane', '𝕬𝖑𝖉𝖊𝖗 '.repeat(10)],
])('%s stay in their column, as letters that there are', async (_what, text) => {
  const items = await shown(text)
  expect(items.length).toBeGreaterThan(1)
  expect(textOf(items)).toMatch(/^[□ ]+$/)
  expect(Math.min(...items.map(({ left }) => left))).toBeGreaterThanOrEqual(LEFT)
  expect(Math.max(...items.map(({ right }) => right))).toBeLessThanOrEqual(LEFT + WIDTH + 0.5)
})

test.each([
  ['an emoji of several people is one', 'Rent 🧑‍🧑‍🧒 May', 'Rent □ May'],
  ['a flag too', 'From 🇺🇸', 'From □'],
  ['what an emoji adds to a letter that there is, is left out', '1️⃣ ❤️', '1 ❤'],
  ['what nothing is seen of is left out', 'A\u00ADl\u200Bd\uFEFFe\u2060r\u0007', 'Alder'],
  ['spaces of any kind are spaces', 'a\tb\u2003c', 'a b c'],
])('%s', async (_what, text, expected) => {
  expect(textOf(await shown(text)).replaceAll('\u2003', ' ')).toBe(expected)
})

test('a Japanese letter beyond the first plane is drawn as it is', async () => {
  expect(textOf(await shown('\u{20BB7}野家', 'ja'))).toBe('\u{20BB7}野家')
})

test.each([
  ['stacked', 'a' + '\u0300'.repeat(80), 'à\u0300'],
  ['of several kinds', 'Z' + '\u0334\u0321\u0300\u0489\u0357'.repeat(20), 'Z\u0300\u0489'],
  ['parted by what is not seen', 'x' + '\u0302\u0302\u200B\u0302\u200D\u034F\u0302'.repeat(20), 'x\u0302\u0302'],
  ['parted by marks of direction', 'x' + '\u0302\u0302\u200E'.repeat(20), 'x\u0302\u0302'],
  ['on a space', ' ' + '\u0302'.repeat(20) + 'x', '\u0302\u0302x'],
  ['on a letter that no font has', 'ก' + '\u0E49'.repeat(20), '□'],
  ['of Vietnamese', 'Nguyễn Thị Diệu'.normalize('NFD'), 'Nguyễn Thị Diệu'],
  ['of ancient Greek', 'τῷ ᾧ'.normalize('NFD'), 'τῷ ᾧ'],
])('marks %s do not rise over other lines', async (_what, text, expected) => {
  const items = textOf(await shown(text)).normalize('NFC')
  expect(items.match(/\p{M}{3}/u)).toBeNull()
  expect(items.trim()).toBe(expected.normalize('NFC'))
})

test.each([
  ['with marks that cannot be placed is written without', 'عبد اللّٰهُ', 'عبد الله'],
  ['with a letter that cannot be drawn has a stand-in', 'ڢ', '□'],
  ['with letters that cannot be drawn beside each other too', 'ݪڎ', '□□'],
])('a word of Arabic %s', async (_what, text, instead) => {
  const items = await shown(text, 'ar')
  expect(items.length).toBeGreaterThan(0)
  expect(items).toEqual(await shown(instead, 'ar'))
})
