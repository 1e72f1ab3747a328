import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
import { receiptPdf } from '#server/accounts/receipt.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'
import { readStructure, textsIn } from '#server/test/pdf-structure.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(25_00)
})
afterAll(() => server.close())

/** Returns the metadata that the file gives its viewer. */
async function readMetadata(language: string) {
  await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
  const [transaction] = await ann.transactions()
  const answer = await ann.browser.get(`/api/v1/transactions/${transaction?.id}/receipt`)
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { info } = (await pdf.getMetadata()) as { info: { Language?: string } }
  const preferences = (await pdf.getViewerPreferences()) as Record<string, unknown> | null
  return { language: info.Language, direction: preferences?.['Direction'] }
}

test.each([
  ['en', undefined],
  ['ar', 'R2L'],
])('a receipt in %s declares its language and its reading direction', async (language, direction) => {
  expect(await readMetadata(language)).toEqual({ language, direction })
})

// The heading in each language, and the word for a card payment.
test.each([
  ['zh', '电子回单'],
  ['ja', 'カードからの入金'],
])('a receipt in %s uses the fonts of its script', async (language, title) => {
  await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
  const [transaction] = await ann.transactions()
  const answer = await ann.browser.get(`/api/v1/transactions/${transaction?.id}/receipt`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  expect(text.replaceAll(/\s/g, '')).toContain(title)
  // A character that is missing in its font would read as U+0000.
  expect(text).not.toContain('\0')
})

const FOOT = 'Issued by Alder.'
const receiptOf = (name: string, note: string): Receipt => ({
  language: 'en',
  title: 'Receipt',
  heading: 'Receipt',
  name,
  amount: '−$25.50 USD',
  status: 'Completed',
  completed: true,
  rows: [
    ['From', 'Ann Lee'],
    ['To', name],
    ...['Date', 'Status', 'Category', 'Method'].map((label): [string, string] => [label, 'As ever']),
    ['Note', note],
    ['Transaction ID', 'TXN1'],
    ['Reference', 'REF1'],
  ],
  footer: FOOT,
  pageOf: '',
  bookedAt: '2026-08-28T09:41:00.000Z',
})

test.each([
  ['an everyday name and note', 'Bob May', 'Rent', 1],
  ['a note of many lines', 'Bob May', 'a\n'.repeat(70), 1],
  ['names and notes of East Asia', '大'.repeat(160), '大'.repeat(140), 1],
  ['letters as wide as twelve others', '\uFDFD'.repeat(160), '\uFDFD'.repeat(140), 1],
])('%s keep every row on the receipt and out of its foot', async (_what, name, note, pages) => {
  const pdf = await getDocumentProxy(await receiptPdf(receiptOf(name, note)))
  expect(pdf.numPages).toBe(pages)
  const drawnTexts: string[] = []
  for (let number = 1; number <= pages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const drawn = items.flatMap((item) => ('str' in item && item.str !== '' ? [item] : []))
    const heights = drawn.filter(({ str }) => str !== FOOT).map(({ transform }) => Number(transform[5]))
    expect(Math.min(...heights)).toBeGreaterThan(90)
    expect(drawn.map(({ str }) => str)).toContain(FOOT)
    drawnTexts.push(...drawn.map(({ str }) => str))
  }
  expect(drawnTexts).toEqual(expect.arrayContaining(['−$25.50 USD', 'Transaction ID', 'TXN1', 'Reference', 'REF1']))
})

test('a screen reader reads a receipt completely and in order, each row with its heading', async () => {
  const { parts, beside } = await readStructure(await receiptPdf(receiptOf('Bob May', 'Rent')))
  expect(parts.map(({ kind }) => kind)).toEqual(['P', 'H1', 'P', 'P', 'P', 'Table', 'P'])
  expect(textsIn(parts.slice(0, 5))).toEqual(['Alder', 'Receipt', 'Bob May', '−$25.50 USD', 'Completed'])
  const rows = parts[5]?.parts.map((row) => row.parts.map(({ kind, text }) => [kind, text]))
  expect(rows?.[0]).toEqual([
    ['TH', 'From'],
    ['TD', 'Ann Lee'],
  ])
  expect(rows).toHaveLength(9)
  expect(parts.at(-1)?.text).toBe(FOOT)
  expect(beside).toEqual([])
})
