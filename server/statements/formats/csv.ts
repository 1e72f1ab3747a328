import { dayOf } from '#server/calendar/zone.ts'
import { CSV_MARKS, type CsvStyle } from '#contract/statement-formats.ts'
import { localTimeOf } from '#server/platform/time-zone.ts'
import { parseMonthName } from '#server/statements/words/months.ts'
import type { AccountStatement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'
import { plainAmount } from '#server/statements/formats/plain-text.ts'

/** The headings of the columns. They are the same in every language, because programs look for them. */
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
 * The places in a text after which a spreadsheet would read a formula. Anyone may have written the text, for example a payer. A
 * formula may follow spaces, a comma or a semicolon, because a spreadsheet may split cells at another character than the file
 * uses. It may also begin with a full-width sign from an East Asian keyboard.
 */
const FORMULA = /(?<=^|[;,])(?=[\s\p{C}'"]*[=+\-@＝＋－＠])/gu

/**
 * Digits with only separators, currency signs, exponents and am/pm marks. A spreadsheet reads such a text as a number, a day or
 * a time.
 */
const NUMBER = /^[\s.,:;/\-+%()$€£¥'’E]*\d[\d\s.,:;/\-+%()$€£¥'’E]*(?:[ap]\.?m\.?)?$/i
/** A day with the month as a word. A spreadsheet reads 'Mar 5', '5-Mar', 'SEPT2' and 'May 2026' as days. */
const WITH_MONTH = /^(?:\d{1,4}[\s.\-/]*)?(\p{L}{3,12})\.?(?:[\s.\-/]*\d{1,4}){0,2}$/u

/** Returns whether a spreadsheet would convert a text into something else. */
function isChanged(line: string): boolean {
  if (NUMBER.test(line) || /^(?:true|false)$/i.test(line)) return true
  const month = /\d/.test(line) ? WITH_MONTH.exec(line)?.[1] : undefined
  return month !== undefined && parseMonthName(month) !== null
}

/**
 * Returns a text as a cell on one line. A spreadsheet would read some texts as a number, a day, a time or a truth value. Such a
 * text gets a leading apostrophe, as a person would type it. A possible formula (`FORMULA`) gets one too.
 */
function textCell(text: string): string {
  const line = text.replaceAll('\0', '').replaceAll(/\s+/g, ' ')
  const safe = line.replaceAll(FORMULA, "'")
  const safeText = isChanged(line.trim()) && !safe.startsWith("'") ? `'${safe}` : safe
  return `"${safeText.replaceAll('"', '""')}"`
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

const END = '\r\n'

/**
 * Yields a statement as CSV (RFC 4180), piece by piece: the opening balance, each transaction, the closing balance. Days and
 * times are in the bank's time zone.
 */
export async function* csvOf(
  statement: AccountStatement,
  lines: StatementLines,
  style: CsvStyle,
): AsyncGenerator<string> {
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
    localTimeOf(new Date(line.bookedAt)).toISOString().slice(11, 19),
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
