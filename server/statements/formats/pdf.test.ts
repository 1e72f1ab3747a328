import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { statementPdf } from '#server/statements/formats/pdf.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { AccountStatement, StatementLine } from '#server/statements/reading/statement.ts'
import { actualTexts, packedObjects, readStructure, textsIn } from '#server/test/pdf-structure.ts'

const words: StatementWords = {
  title: 'Statement',
  heading: 'Account statement',
  facts: [['Account holder', 'Ann Lee']],
  sums: [['Money in', '$1.00']],
  columns: ['Date', 'Description', 'Amount', 'Balance'],
  opening: 'Opening balance',
  closing: 'Closing balance',
  nothing: 'Nothing',
  footer: 'Issued by Alder.',
  pageOf: 'Page {page} of {pages}',
}

const line: StatementLine = {
  id: '1',
  transactionId: 'TXN1',
  reference: 'REF1',
  bookedAt: '2026-08-03T10:00:00.000Z',
  name: 'Shop',
  method: 'Card',
  category: 'Shopping',
  note: '',
  purpose: 'shopping',
  methodCode: null,
  label: null,
  amountMinor: -1_00,
  balanceMinor: 1_00,
}

const statementOf = (language: string, count: number): AccountStatement => ({
  language,
  holderName: 'Ann Lee',
  accountName: 'Checking account',
  accountNumber: '100000000012',
  routingNumber: null,
  asset: 'USD',
  range: { from: '2026-08-01', to: '2026-08-28' },
  madeAt: '2026-08-28T09:41:00.000Z',
  openingMinor: 0,
  inMinor: 0,
  outMinor: 0,
  closingMinor: 0,
  count,
  inCount: 0,
})

async function fileOf(lines: Partial<StatementLine>[], language = 'en') {
  const statement = statementOf(language, lines.length)
  async function* someAtATime() {
    for (let start = 0; start < lines.length; start += 7) {
      yield lines.slice(start, start + 7).map((each) => ({ ...line, ...each }))
    }
  }
  const pieces = await Array.fromAsync(statementPdf(statement, words, someAtATime()))
  return new Uint8Array(Buffer.concat(pieces))
}

/** Returns the texts on each page, with their heights above the page's lower edge. */
async function pagesOf(lines: Partial<StatementLine>[], language = 'en') {
  const pdf = await getDocumentProxy(await fileOf(lines, language))
  return Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const { items } = await (await pdf.getPage(index + 1)).getTextContent()
      return items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [x, y] = [Number(item.transform[4]), Number(item.transform[5])]
        return [{ text: item.str, y, left: x, right: x + item.width }]
      })
    }),
  )
}

test.each([
  ['letters of East Asia', '大'],
  // This single character is as wide as twelve ordinary letters.
  ['a whole verse in a letter', '\uFDFD'],
])('no row overlaps the foot of its page, for any length of its texts: %s', async (_case, letter) => {
  const long = { name: letter.repeat(160), note: letter.repeat(140) }
  // The spacing puts the start of a long row at many different heights of a page.
  const lines = Array.from({ length: 60 }, (_, index) => (index % 7 === 0 ? long : {}))
  const pages = await pagesOf(lines)
  expect(pages.length).toBeGreaterThan(2)
  for (const [index, items] of pages.entries()) {
    const foot = items.filter(({ y }) => y < 80).map(({ text }) => text)
    expect(foot.join('')).toBe(`Issued by Alder.Page ${index + 1} of ${pages.length}`)
  }
})

test.each(['en', 'pt', 'pl'])('the largest possible amount fits on one line in %s', async (language) => {
  const [page = []] = await pagesOf([{ amountMinor: -MAX_AMOUNT_MINOR, balanceMinor: MAX_AMOUNT_MINOR }], language)
  const largest = String(MAX_AMOUNT_MINOR)
  // Only the digits are compared, because the separators depend on the language.
  const digits = (text: string) => text.replaceAll(/\D/g, '')
  const heights = new Map<number, string>()
  for (const { text, y } of page) heights.set(Math.round(y), (heights.get(Math.round(y)) ?? '') + digits(text))
  expect([...heights.values()].join(' ').split(largest)).toHaveLength(3)
})

test.each(['en', 'ar'])('the largest possible amounts do not touch in %s', async (language) => {
  const [page = []] = await pagesOf([{ amountMinor: -MAX_AMOUNT_MINOR, balanceMinor: MAX_AMOUNT_MINOR }], language)
  const { y: height = 0 } = page.find(({ text }) => text.startsWith('−$90')) ?? {}
  const figures = page
    .filter(({ text, y }) => Math.abs(y - height) < 2 && /^[-$\d.,]+$/.test(text))
    .toSorted((a, b) => a.left - b.left)
  const second = figures.findLastIndex(({ text }) => text.includes('$'))
  expect((figures[second]?.left ?? 0) - (figures[second - 1]?.right ?? 0)).toBeGreaterThan(5)
})

test('pages are sent while lines are read, and none is drawn in advance', async () => {
  let requestCount = 0
  async function* lines() {
    for (requestCount = 1; requestCount <= 200; requestCount += 1) {
      // These names compress badly, so the file is large.
      yield Array.from({ length: 20 }, (_, index) => ({ ...line, name: `Shop ${requestCount ** 9 * (index + 1)}` }))
    }
  }
  const pieces = statementPdf(statementOf('en', 4_000), words, lines())
  await pieces.next()
  const atFirst = requestCount
  await pieces.next()
  expect(requestCount).toBeGreaterThan(atFirst)
  expect(requestCount).toBeLessThan(150)
  await pieces.return(undefined)
})

test('a screen reader reads a statement completely and in order, with its tables as tables', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({ name: `Shop ${index}`, note: index === 7 ? 'Lunch' : '' }))
  const file = await fileOf(lines)
  const { parts, beside } = await readStructure(file)
  // PDF.js lists the part of a table that is on each page.
  expect(parts.map(({ kind }) => kind).join(' ')).toMatch(/^P H1 Table Table( Table)+ P$/)
  expect(parts.slice(0, 2).map(({ text }) => text)).toEqual(['Alder', 'Account statement'])
  expect(parts[2]?.parts[0]?.parts.map(({ kind, text }) => [kind, text])).toEqual([
    ['TH', 'Account holder'],
    ['TD', 'Ann Lee'],
  ])
  const rows = parts.slice(4, -1).flatMap((table) => table.parts)
  expect(rows[0]?.parts.map(({ kind, text }) => [kind, text])).toEqual(words.columns.map((column) => ['TH', column]))
  // The rows are both balances and each line. Repeated column headings on later pages are not read out again.
  expect(rows).toHaveLength(1 + 2 + lines.length)
  expect(
    rows.slice(1).every(({ parts: cells }) => cells.length === 4 && cells.every(({ kind }) => kind === 'TD')),
  ).toBe(true)
  expect(rows[9]?.parts.map(({ text }) => text)).toEqual(['Aug 3, 2026', 'Shop 7 Card · Lunch', '−$1.00', '$1.00'])
  const readTexts = new Set(textsIn(parts))
  for (const text of beside) expect(readTexts.has(text) || /^Page \d of \d$/.test(text)).toBe(true)
  const objects = packedObjects(file)
  expect(objects.match(/\/Scope\/Column/g)).toHaveLength(4)
  expect(objects.match(/\/Scope\/Row/g)).toHaveLength(2)
  expect(actualTexts(file)).toEqual([])
})

test('right-to-left text is extracted correctly', async () => {
  const file = await fileOf([{ name: 'متجر (12)', note: 'شكرا' }], 'ar')
  expect(actualTexts(file)).toContain('متجر (12) Card · شكرا')
})
