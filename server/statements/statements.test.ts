import { DAY_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { parseStrict } from 'ofx-js'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STATEMENT_MARKS } from '#contract/file-progress.ts'
import { STATEMENT_FORMATS, type StatementFormat } from '#contract/statement-formats.ts'
import type { StatementSummary } from '#contract/statements.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Operation } from '#server/ledger/types.ts'
import { readStatement } from '#server/statements/reading/statement.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const TODAY = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(TODAY), realNow: () => TODAY }
const FIRST = Date.parse('2026-03-01T00:00:00Z')

let server: PeopleServer
let ann: TestPerson

/** Names and notes that break careless formats. */
const HOSTILE = [
  '=HYPERLINK("http://x.example","Click")',
  '@SUM(A1:A9)',
  '-2+3',
  '+1',
  ' \t=1+1',
  '＝1+1',
  '<script>alert(1)</script> & ]]> "quoted" \'single\'',
  'Two\nlines,\r\nand a comma; "and quotes"',
  'مقهى النيل',
  '喫茶店 ☕️ 🧑‍🧑‍🧒',
  'x'.repeat(400),
  '&amp; &#x26; <!ENTITY x "y">',
  'Pizza;=HYPERLINK("http://x.example","Click"),=1+1',
  '\u5927'.repeat(160),
  `Z${'\u0300'.repeat(80)}`,
  'عبد اللّٰهُ ڢ',
]

async function book(
  person: TestPerson,
  payments: readonly { amountMinor: number; at: Date; name: string; note?: string }[],
) {
  for (const { amountMinor, at, name, note } of payments) {
    const [ownAccount, otherAccount] = [person.customer.currentAccountId, bankAccount('card_acquiring')]
    const [debit, credit] = amountMinor < 0 ? [ownAccount, otherAccount] : [otherAccount, ownAccount]
    const words = { debitName: name, creditName: name, ...(note === undefined ? {} : { note }) }
    const detail = { ...words, category: amountMinor < 0 ? 'food' : 'income', method: 'card' } as const
    const legs: Operation['legs'] = [{ kind: 'transfer', debit, credit, amountMinor: Math.abs(amountMinor), detail }]
    await server.deps.ledger.post({ id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt: at, legs })
  }
}

const payments = Array.from({ length: 60 }, (_, index) => ({
  amountMinor: index === 0 ? 900_000_00 : (index % 4 === 0 ? 1 : -1) * (1 + ((index * 7919) % 90_000)),
  // Some payments fall on the first or the last instant of a day.
  at: new Date(FIRST + index * 3 * DAY_MS + ([0, DAY_MS - 1, 12_345_678][index % 3] ?? 0)),
  name: HOSTILE[index % HOSTILE.length] ?? '',
  note: HOSTILE[(index + 5) % HOSTILE.length] ?? '',
}))

beforeAll(async () => {
  server = await peopleServer({ clock })
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  // The booking order differs from the order of the payments' times.
  await book(ann, [...payments.slice(0, 1), ...payments.slice(1).toReversed()])
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

const query = (range: { from: string; to: string }) => new URLSearchParams(range).toString()
const summary = async (range: { from: string; to: string }): Promise<StatementSummary> => {
  const answer = await ann.browser.get(`/api/v1/statements/current?${query(range)}`)
  expect(answer.status).toBe(200)
  return answer.json() as Promise<StatementSummary>
}
const file = (format: StatementFormat, range: { from: string; to: string }, { browser } = ann) =>
  browser.get(`/api/v1/statements/current/file?${query(range)}&format=${format}`)
const bytesOf = async (format: StatementFormat, range: { from: string; to: string }): Promise<Uint8Array> => {
  const answer = await file(format, range)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Alder-[\d-]+\.(pdf|csv|ofx|xml)"$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  return new Uint8Array(await answer.arrayBuffer())
}
const textOf = async (format: StatementFormat, range: { from: string; to: string }) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytesOf(format, range))

/** Returns the cents of an amount such as '-1234.5', digit by digit. */
const cents = (text: string): number => {
  const [, sign, whole, part] = /^(-?)(\d+)\.(\d\d)$/.exec(text) ?? []
  expect([text, whole]).toEqual([text, expect.any(String)])
  return (Number(whole) * 100 + Number(part)) * (sign === '-' ? -1 : 1) || 0
}
const sum = (amounts: readonly number[]) => amounts.reduce((total, minor) => total + minor, 0)

/** The figures of a file, as an independent parser reads them. */
type SummaryAmounts = { openingMinor: number; amounts: number[]; closingMinor: number }

async function readCsv(range: {
  from: string
  to: string
}): Promise<SummaryAmounts & { rows: Record<string, string>[] }> {
  const rows = parseCsv<Record<string, string>>(await textOf('csv', range), { bom: true, columns: true })
  const rowsOfType = (type: string) => rows.filter((row) => row['type'] === type)
  return {
    openingMinor: cents(rowsOfType('opening')[0]?.['balance'] ?? ''),
    amounts: rowsOfType('transaction').map((row) => cents(row['amount'] ?? '')),
    closingMinor: cents(rowsOfType('closing')[0]?.['balance'] ?? ''),
    rows,
  }
}

async function readOfx(range: { from: string; to: string }) {
  const { OFX } = parseStrict(await textOf('ofx', range))
  const answer = [OFX.BANKMSGSRSV1?.STMTTRNRS].flat()[0]?.STMTRS
  const lines = [answer?.BANKTRANLIST?.STMTTRN ?? []].flat()
  const amounts = lines.map(({ TRNAMT }) => cents(TRNAMT))
  const closingMinor = cents(answer?.LEDGERBAL?.BALAMT ?? '')
  // OFX states no opening balance. Programs subtract the transactions from the closing balance.
  return { openingMinor: closingMinor - sum(amounts) || 0, amounts, closingMinor, lines }
}

const SCHEMA = readFileSync(new URL('./formats/camt.053.001.08.part.xsd', import.meta.url), 'utf8')
const NAMESPACE = { c: 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08' }

/** Returns the result of `readDocument` for a valid document. Throws XmlValidateError if the text violates the schema. */
function inSchema<Answer>(text: string, readDocument: (document: XmlDocument) => Answer): Answer {
  const schema = XmlDocument.fromString(SCHEMA)
  const validator = XsdValidator.fromDoc(schema)
  const document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return readDocument(document)
  } finally {
    for (const each of [document, validator, schema]) each.dispose()
  }
}

async function readCamt(range: {
  from: string
  to: string
}): Promise<SummaryAmounts & { names: string[]; count: string }> {
  return inSchema(await textOf('camt', range), (document) => {
    const textsAt = (path: string) => document.find(path, NAMESPACE).map((node) => node.content)
    const signedCentsAt = (path: string) => {
      const signs = textsAt(`${path}/c:CdtDbtInd`)
      return textsAt(`${path}/c:Amt`).map((text, index) => (signs[index] === 'DBIT' ? -1 : 1) * cents(text) || 0)
    }
    const balance = (code: string) => signedCentsAt(`//c:Bal[c:Tp/c:CdOrPrtry/c:Cd='${code}']`)[0] ?? Number.NaN
    return {
      openingMinor: balance('OPBD'),
      amounts: signedCentsAt('//c:Ntry'),
      closingMinor: balance('CLBD'),
      names: textsAt('//c:Ntry//c:Pty/c:Nm'),
      count: textsAt('//c:TtlNtries/c:NbOfNtries')[0] ?? '',
    }
  })
}

async function readPdf(range: { from: string; to: string }): Promise<{ text: string; pages: number }> {
  const pdf = await getDocumentProxy(await bytesOf('pdf', range))
  const { text, totalPages } = await extractText(pdf, { mergePages: true })
  return { text, pages: totalPages }
}

/** Returns the balance at the first instant of a day, computed from the booked payments. */
const heldBefore = (instant: number) =>
  sum(payments.filter(({ at }) => at.getTime() < instant).map((payment) => payment.amountMinor))

const LAST = Math.floor((TODAY.getTime() - FIRST) / DAY_MS)
const ranges = fc.tuple(fc.integer({ min: -20, max: LAST }), fc.integer({ min: 0, max: 200 })).map(([start, days]) => ({
  from: dayOf(new Date(FIRST + start * DAY_MS)),
  to: dayOf(new Date(FIRST + Math.min(LAST, start + days) * DAY_MS)),
}))

test('for any range, opening plus movements is closing, in each format, in independent readers', async () => {
  await fc.assert(
    fc.asyncProperty(ranges, async (range) => {
      const [from, until] = [Date.parse(range.from), Date.parse(range.to) + DAY_MS]
      const paymentsInRange = payments.filter(({ at }) => at.getTime() >= from && at.getTime() < until)
      const amounts = paymentsInRange
        .toSorted((a, b) => a.at.getTime() - b.at.getTime())
        .map((payment) => payment.amountMinor)
      const expected = { openingMinor: heldBefore(from), amounts, closingMinor: heldBefore(until) }
      expect(await readCsv(range)).toMatchObject(expected)
      expect(await readOfx(range)).toMatchObject(expected)
      expect(await readCamt(range)).toMatchObject({ ...expected, count: String(amounts.length) })
      const totals = await summary(range)
      expect(totals).toMatchObject({ openingMinor: expected.openingMinor, closingMinor: expected.closingMinor })
      expect(totals.openingMinor + totals.inMinor - totals.outMinor).toBe(totals.closingMinor)
      expect(totals.count).toBe(amounts.length)
    }),
    { numRuns: 25 },
  )
})

test('the closing balance of a month is the opening balance of the next, and today’s is the current balance', async () => {
  let before = 0
  for (const month of ['02', '03', '04', '05', '06', '07']) {
    const from = `2026-${month}-01`
    const lastDay = dayOf(new Date(Date.UTC(2026, Number(month), 0)))
    const totals = await summary({ from, to: lastDay })
    expect([month, totals.openingMinor]).toEqual([month, before])
    before = totals.closingMinor
  }
  const august = await summary({ from: '2026-08-01', to: '2026-08-28' })
  expect(august.openingMinor).toBe(before)
  expect(august.closingMinor).toBe(await ann.balanceMinor())
})

const YEAR = { from: '2026-03-01', to: '2026-08-28' }

test('no cell of a CSV is a formula, and the original text is in it', async () => {
  const { rows } = await readCsv(YEAR)
  expect(rows).toHaveLength(payments.length + 2)
  for (const row of rows) {
    const { amount: _amount, balance: _balance, ...texts } = row
    for (const text of Object.values(texts)) expect(text).not.toMatch(/^[\s\p{C}]*[=+\-@＝＋－＠]/u)
  }
  const names = new Set(rows.map((row) => row['name']))
  expect(names).toContain(`'=HYPERLINK("http://x.example","Click")`)
  expect(names).toContain('مقهى النيل')
  expect(names).toContain(`Pizza;'=HYPERLINK("http://x.example","Click"),'=1+1`)
  // The rule also holds if semicolons separate cells and every line break separates lines, as in most of Europe.
  const cells = (await textOf('csv', YEAR)).split(/[\r\n;]/)
  for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{C}"]*[=+\-@＝＋－＠]/u)
  // Each running balance is the previous one plus the amount.
  const lines = rows.slice(1, -1)
  let balance = cents(rows[0]?.['balance'] ?? '')
  for (const row of lines) {
    balance += cents(row['amount'] ?? '')
    expect(cents(row['balance'] ?? '')).toBe(balance)
  }
})

test('each payment of an OFX file has its own id, which is the same in every file', async () => {
  const { lines } = await readOfx(YEAR)
  const ids = lines.map(({ FITID }) => FITID)
  expect(new Set(ids).size).toBe(payments.length)
  const march = await readOfx({ from: '2026-03-01', to: '2026-03-31' })
  expect(ids).toEqual(expect.arrayContaining(march.lines.map(({ FITID }) => FITID)))
  // The limit is OFX's type A-32.
  const names = lines.map(({ NAME = '' }) =>
    NAME.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
  for (const name of names) expect(Array.from(name).length).toBeLessThanOrEqual(32)
  expect(names).toContain('<script>alert(1)</script> & ]]>')
})

test('the dates of an OFX file are the same in every time zone of America', async () => {
  const { lines } = await readOfx(YEAR)
  const days = (await readCsv(YEAR)).rows.slice(1, -1).map((row) => row['date'])
  for (const timeZone of ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu', 'Europe/Berlin', 'UTC']) {
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
    const shown = lines.map(({ DTPOSTED }) => {
      const [, day = '', time = ''] = /^(\d{8})(\d{6})\.000\[0:GMT\]$/.exec(DTPOSTED) ?? []
      return local.format(new Date(`${day.replace(/(....)(..)/, '$1-$2-')}T${time.replace(/(..)(..)/, '$1:$2:')}Z`))
    })
    expect(shown).toEqual(days)
  }
  expect(await textOf('ofx', { from: '2026-03-01', to: '2026-03-31' })).toMatch(
    /<DTSTART>20260301120000.*<DTEND>20260331120000.*<DTASOF>20260331120000/s,
  )
})

test('a camt.053 file with another entry has another id, and an equal file has the same id', async () => {
  const cat = await server.person({ fullName: 'Cat Ray', email: 'ids@example.com' })
  const today = { from: '2026-08-28', to: '2026-08-28' }
  const idOf = async () => /<MsgId>(.{1,35})<\/MsgId>/.exec(await (await file('camt', today, cat)).text())?.[1]
  const first = await idOf()
  expect(first).toMatch(/^ALDER-\d{12}-/)
  expect(await idOf()).toBe(first)
  await cat.fund(5_00)
  const second = await idOf()
  expect(second).toBeDefined()
  expect(second).not.toBe(first)
})

test('a CSV has the format of a language’s spreadsheets, or the customer’s choice', async () => {
  const day = { from: '2026-02-03', to: '2026-02-03' }
  const dan = await server.person({ fullName: 'Dan Roy', email: 'styles@example.com' })
  await book(dan, [{ amountMinor: 1_234_50, at: new Date('2026-02-03T12:00:00Z'), name: 'Shop', note: '00123' }])
  const lineOf = async (more = '') => {
    const answer = await dan.browser.get(`/api/v1/statements/current/file?${query(day)}&format=csv${more}`)
    expect(answer.status).toBe(200)
    return (await answer.text()).split('\r\n')[2]
  }
  const [comma, semicolon] = [`"'00123",1234.50,USD,1234.50`, `"'00123";1234,50;USD;1234,50`]
  expect(await lineOf()).toContain(comma)
  expect(await lineOf('&csv=semicolon')).toContain(semicolon)
  expect(await lineOf('&csv=semicolon_point')).toContain(comma.replaceAll(',', ';'))
  expect((await dan.browser.get(`/api/v1/statements/current/file?${query(day)}&format=csv&csv=tab`)).status).toBe(400)
  await dan.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language: 'de' }))
  expect(await lineOf()).toContain(semicolon)
  // The bank recognizes its own files in every CSV style.
  const statement = await dan.browser.get(`/api/v1/statements/current/file?${query(day)}&format=csv`)
  const content = Buffer.from(await statement.arrayBuffer()).toString('base64')
  const secondImport = await dan.browser.post(
    '/api/v1/imports',
    { fileName: 'a.csv', content, mapping: null },
    { key: randomUUID() },
  )
  await expectRefusal(secondImport, 'import_is_own')
})

const MANY_BYTES = 64 * 1024 * 1024
const OFXDUMP = '/usr/bin/ofxdump'
const AQBANKING = '/usr/bin/aqbanking-cli'

/** Returns the output of an installed program for a statement's file, or the file that it writes. */
async function readBy(program: string, format: StatementFormat, argsFor: (folder: string, path: string) => string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'alder-statement-'))
  try {
    const path = join(folder, `a.${format}`)
    await writeFile(path, await bytesOf(format, YEAR))
    const env = { ...process.env, HOME: folder }
    const { stdout } = await promisify(execFile)(program, argsFor(folder, path), { maxBuffer: MANY_BYTES, env })
    const written = join(folder, WRITTEN)
    return existsSync(written) ? readFileSync(written, 'utf8') : stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

const WRITTEN = 'written'

test.skipIf(!existsSync(OFXDUMP))(
  "libofx reads an OFX (skipped where Debian's ofx package is not installed)",
  async () => {
    const text = await readBy(OFXDUMP, 'ofx', (_, path) => [path])
    const spokenAmounts = [...text.matchAll(/Total money amount: (-?[\d.]+)/g)].map(([, amount]) => Number(amount))
    expect(spokenAmounts.map((amount) => Math.round(amount * 100))).toEqual((await readOfx(YEAR)).amounts)
    const { closingMinor } = await summary(YEAR)
    expect(text).toContain((closingMinor / 100).toFixed(2))
  },
)

test.skipIf(!existsSync(AQBANKING))(
  "AqBanking reads a camt.053 (skipped where Debian's aqbanking-tools package is not installed)",
  async () => {
    const text = await readBy(AQBANKING, 'camt', (folder, path) => {
      const from = ['--importer=xml', '--profile=camt_053_001_04', `--infile=${path}`]
      return ['--noninteractive', `--cfgdir=${folder}`, 'import', ...from, `--ctxfile=${join(folder, WRITTEN)}`]
    })
    // The program writes values as fractions: -560%2F100%3AUSD.
    const [balances = '', transactions = ''] = text.split('transactionList {')
    const valuesIn = (part: string) =>
      [...part.matchAll(/char value="(-?\d+)%2F(\d+)%3AUSD"/g)].map(
        ([, value, total]) => (Number(value) / Number(total)) * 100,
      )
    const { openingMinor, amounts, closingMinor } = await readCamt(YEAR)
    expect(valuesIn(transactions).map(Math.round)).toEqual(amounts)
    expect(valuesIn(balances).map(Math.round)).toEqual([openingMinor, closingMinor])
  },
)

test('a camt.053 file has the unchanged names, cut to the length of ISO 20022', async () => {
  const { names } = await readCamt(YEAR)
  expect(names).toContain(HOSTILE[6])
  expect(names).toContain('x'.repeat(140))
})

test('a payer’s text changes no reading direction and injects no control characters in any file', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: 'turned@example.com' })
  const day = '2026-02-03'
  const noon = new Date(`${day}T12:00:00Z`)
  await book(bob, [
    { amountMinor: 1_00, at: noon, name: 'Eve \u202Egpj', note: '\u2067Rent\u001B[2J\u009B\u0007 for\tMay' },
  ])
  for (const format of ['csv', 'ofx', 'camt'] as const) {
    const text = await (await file(format, { from: day, to: day }, bob)).text()
    expect(text).toMatch(/Eve gpj/)
    expect(text).toMatch(/Rent\[2J for\sMay/)
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/u)
  }
})

test('the schema check finds one wrong element', async () => {
  const text = await textOf('camt', YEAR)
  for (const wrongText of [
    text.replace('<CdtDbtInd>', '<CdtDbtInd>X'),
    text.replace('<Sts>', '<Sts><Prtry>x</Prtry>'),
    text.replace(/<Ccy>USD<\/Ccy>/, '<Ccy>Dollars</Ccy>'),
  ]) {
    expect(() => inSchema(wrongText, () => null)).toThrow(XmlValidateError)
  }
})

test('a PDF has every payment and its sums, on as many numbered pages as needed', async () => {
  const { text, pages } = await readPdf(YEAR)
  expect(pages).toBeGreaterThan(1)
  const totals = await summary(YEAR)
  const dollars = (minor: number) =>
    `$${(minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  for (const minor of [totals.closingMinor, totals.inMinor, totals.outMinor]) expect(text).toContain(dollars(minor))
  expect(text).toContain('Account statement')
  expect(text).toContain('March 1, 2026 to August 28, 2026')
  expect(text).toContain(`Page 1 of ${pages}`)
  expect(text).toContain(`Page ${pages} of ${pages}`)
  // Letters that no font has are replaced, and combining marks do not pile up.
  expect(text).not.toContain('\0')
  expect(text).not.toMatch(/\p{M}{3}/u)
  for (const { amountMinor } of payments) {
    const amount = `${amountMinor < 0 ? '[-−]' : '\\+'}\\$${dollars(Math.abs(amountMinor)).slice(1).replaceAll('.', '\\.')}`
    expect(text).toMatch(new RegExp(amount))
  }
  expect((await readPdf({ from: '2026-01-01', to: '2026-01-31' })).text).toContain('There were no transactions')
})

test('a statement in Arabic and in Japanese uses the fonts of those scripts', async () => {
  const ken = await server.person({ fullName: 'Ken Mori', email: 'ken@example.com' })
  const bookedAt = new Date('2026-05-03T10:00:00Z')
  await book(ken, [
    { amountMinor: 20_00, at: bookedAt, name: '山田商店' },
    { amountMinor: -5_00, at: bookedAt, name: 'مقهى النيل' },
  ])
  for (const language of ['ar', 'ja']) {
    await ken.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
    const answer = await file('pdf', { from: '2026-05-01', to: '2026-05-31' }, ken)
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())), {
      mergePages: true,
    })
    expect(text).toContain('山田商店')
    // A zero character would stand for a letter that the font lacks.
    expect(text).not.toContain('\0')
  }
})

test('an invalid range is refused, with the reason', async () => {
  const askSummary = (range: { from: string; to: string }) =>
    ann.browser.get(`/api/v1/statements/current?${query(range)}`)
  await expectRefusal(await askSummary({ from: '2026-08-02', to: '2026-08-01' }), 'statement_range_reversed', 'from')
  await expectRefusal(await askSummary({ from: '2026-08-02', to: '2026-08-29' }), 'statement_range_ahead', 'to')
  await expectRefusal(await askSummary({ from: '2025-08-01', to: '2026-08-28' }), 'statement_range_long', 'from')
  await expectRefusal(await file('pdf', { from: '2026-08-02', to: '2026-08-29' }), 'statement_range_ahead', 'to')
  expect((await askSummary({ from: '2025-08-28', to: '2026-08-28' })).status).toBe(200)
  await expectRefusal(await askSummary({ from: '1969-12-31', to: '1970-01-02' }), 'statement_range_early', 'from')
  for (const wrong of ['2026-02-30', '28.08.2026', '', '2026-08-28T00:00:00Z'])
    expect((await askSummary({ from: wrong, to: '2026-08-28' })).status).toBe(400)
  expect((await ann.browser.get(`/api/v1/statements/current/file?${query(YEAR)}&format=exe`)).status).toBe(400)
  for (const id of ['savings', randomUUID(), "' OR 1=1"]) {
    const path = `/api/v1/statements/${encodeURIComponent(id)}?${query(YEAR)}`
    await expectRefusal(await ann.browser.get(path), 'not_found')
  }
})

test('no customer sees the bookings of another customer’s account', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  const text = await (await file('csv', YEAR, bob)).text()
  expect(text.trim().split('\r\n')).toHaveLength(3)
  expect((await openAnonymous().get(`/api/v1/statements/current?${query(YEAR)}`)).status).toBe(401)
})

const openAnonymous = () => ({ get: (path: string) => fetch(server.url + path) })

test('more than 10,000 transactions are too many for a file, and a long PDF delays no others', async () => {
  const busyCustomer = await server.person({ fullName: 'Busy Lee', email: 'busy@example.com' })
  const payment = { amountMinor: 1_00, name: 'Shop' }
  for (let batch = 0; batch < 26; batch += 1) {
    const bookedAt = new Date(batch < 22 ? '2026-08-01T10:00:00Z' : '2026-08-02T10:00:00Z')
    await Promise.all(Array.from({ length: 400 }, () => book(busyCustomer, [{ ...payment, at: bookedAt }])))
  }
  const range = { from: '2026-08-01', to: '2026-08-02' }
  const answer = await busyCustomer.browser.get(`/api/v1/statements/current?${query(range)}`)
  expect(await answer.json()).toMatchObject({ count: 10_400, tooLong: true, closingMinor: 10_400_00 })
  await expectRefusal(await file('csv', range, busyCustomer), 'statement_too_long')

  const readWhole = async (read: Promise<Response>) => (await read).arrayBuffer()
  const longRange = { from: '2026-08-02', to: '2026-08-02' }
  const { longStatements } = server.deps.concurrencyLimits
  const finished: string[] = []
  const pdf = readWhole(file('pdf', longRange, busyCustomer)).then(() => finished.push('a long PDF'))
  await expect.poll(() => longStatements.load(busyCustomer.customer.id)).toBe(1)
  await readWhole(file('pdf', YEAR)).then(() => finished.push('a short PDF of somebody else'))
  await pdf
  expect(finished).toEqual(['a short PDF of somebody else', 'a long PDF'])

  // A PDF that has lost its recipient is not finished, so the next one gets its place at once.
  const hangUp = new AbortController()
  const path = `${server.url}/api/v1/statements/current/file?${query(longRange)}&format=pdf`
  const download = await fetch(path, { headers: { cookie: busyCustomer.browser.cookie() }, signal: hangUp.signal })
  expect(download.status).toBe(200)
  expect(download.headers.get('alder-transactions')).toBe('1600')
  expect((await download.body?.getReader().read())?.done).toBe(false)
  hangUp.abort()
  await expect.poll(() => longStatements.load(busyCustomer.customer.id), { timeout: 1_500 }).toBe(0)
})

test.each(STATEMENT_FORMATS)('a client that receives a %s gets its progress', async (format) => {
  const busyCustomer = await server.person({ fullName: 'Far Lee', email: `${format}@example.com` })
  const bookedAt = new Date('2026-08-01T10:00:00Z')
  await Promise.all(
    Array.from({ length: 120 }, () => book(busyCustomer, [{ amountMinor: 1_00, name: 'Shop', at: bookedAt }])),
  )
  const answer = await file(format, { from: '2026-08-01', to: '2026-08-02' }, busyCustomer)
  expect(answer.headers.get('alder-transactions')).toBe('120')
  const { text, each } = STATEMENT_MARKS[format]
  const marks =
    Buffer.from(await answer.arrayBuffer())
      .toString('latin1')
      .split(text).length - 1
  expect(marks * each).toBe(format === 'pdf' ? 100 : 120)
})

test('entries that are booked while a file is written are not in it', async () => {
  const eve = await server.person({ fullName: 'Eve Lee', email: 'eve@example.com' })
  const bookedAt = new Date('2026-08-03T10:00:00Z')
  await book(eve, [{ amountMinor: 5_00, at: bookedAt, name: 'First' }])
  const statementRequest = { accountId: 'current', range: { from: '2026-08-01', to: '2026-08-28' } }
  const { statement, lines } = await readStatement(server.deps, eve.customer, statementRequest)
  await book(eve, [{ amountMinor: 7_00, at: new Date('2026-08-02T10:00:00Z'), name: 'Second, dated before it' }])
  const statementLines = (await Array.fromAsync(lines)).flat()
  expect(statementLines.map(({ amountMinor }) => amountMinor)).toEqual([5_00])
  expect(statementLines.at(-1)?.balanceMinor).toBe(statement.closingMinor)
})
