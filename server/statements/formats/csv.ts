import { dayOf } from '#server/calendar/zone.ts'
import { CSV_MARKS, type CsvStyle } from '#contract/statement-formats.ts'
import { shownAt } from '#server/platform/time-zone.ts'
import { monthNamed } from '#server/statements/words/months.ts'
import type { Statement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'
import { plainAmount } from '#server/statements/formats/plain.ts'

/** The headings, which stay the same in every language: programs look for them. */
export const CSV_HEADINGS = [
  'type',
  'date',
  'time',
  'id',
  'name',
  'category',
  'method',
  'note',
  'amount',
  'currency',
  'balance',
] as const

/**
 * Where a spreadsheet takes what follows for a formula, whoever wrote it: also after spaces, in the wide letters of East Asian
 * keyboards, and behind a comma or a semicolon: a spreadsheet may part cells at the other one than the file does.
 */
const FORMULA = /(?<=^|[;,])(?=[\s\p{C}'"]*[=+\-@＝＋－＠])/gu

/** Digits with nothing but marks, signs of currencies, exponents and hours among them: a number, a day or a time to a spreadsheet. */
const NUMBER = /^[\s.,:;/\-+%()$€£¥'’E]*\d[\d\s.,:;/\-+%()$€£¥'’E]*(?:[ap]\.?m\.?)?$/i
/** 'Mar 5', '5-Mar', 'SEPT2' and 'May 2026' are days to a spreadsheet. */
const WITH_MONTH = /^(?:\d{1,4}[\s.\-/]*)?(\p{L}{3,12})\.?(?:[\s.\-/]*\d{1,4}){0,2}$/u

/** Whether a spreadsheet would make something else of a text. */
function isChanged(line: string): boolean {
  if (NUMBER.test(line) || /^(?:true|false)$/i.test(line)) return true
  const month = /\d/.test(line) ? WITH_MONTH.exec(line)?.[1] : undefined
  return month !== undefined && monthNamed(month) !== null
}

/**
 * A cell of text, on one line. What a spreadsheet would run, or read as a number, a day or a time, has an apostrophe before it, as
 * a person would type it.
 */
function textCell(text: string): string {
  const line = text.replaceAll('\0', '').replaceAll(/\s+/g, ' ')
  const safe = line.replaceAll(FORMULA, "'")
  const kept = isChanged(line.trim()) && !safe.startsWith("'") ? `'${safe}` : safe
  return `"${kept.replaceAll('"', '""')}"`
}

/** So that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

const END = '\r\n'

/**
 * A statement as CSV (RFC 4180), piece by piece: the opening balance, each transaction, the closing balance. Days and times are
 * those of the bank's clocks.
 */
export async function* csvOf(statement: Statement, lines: StatementLines, style: CsvStyle): AsyncGenerator<string> {
  const { range, asset, openingMinor, closingMinor } = statement
  const { separator, decimal } = CSV_MARKS[style]
  const amount = (minor: number) => plainAmount(minor).replace('.', decimal)
  const row = (cells: readonly string[]) => cells.join(separator) + END
  const balance = (type: string, day: string, minor: number) =>
    row([type, day, '', '', '', '', '', '', '', asset, amount(minor)])
  yield BYTE_ORDER_MARK + row(CSV_HEADINGS) + balance('opening', range.from, openingMinor)
  for await (const some of lines) yield some.map((line) => row(cellsOf(line, asset, amount))).join('')
  yield balance('closing', range.to, closingMinor)
}

function cellsOf(line: StatementLine, asset: string, amount: (minor: number) => string): string[] {
  return [
    'transaction',
    dayOf(new Date(line.bookedAt)),
    shownAt(new Date(line.bookedAt)).toISOString().slice(11, 19),
    line.transactionId,
    textCell(line.name),
    textCell(line.category),
    textCell(line.method),
    textCell(line.note),
    amount(line.amountMinor),
    asset,
    amount(line.balanceMinor),
  ]
}
