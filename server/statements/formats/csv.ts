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
 * keyboards, and behind a semicolon, at which spreadsheets part cells where a comma is the decimal mark.
 */
const FORMULA = /(?<=^|;)(?=[\s\p{C}'"]*[=+\-@＝＋－＠])/gu

/** A cell of text, on one line. What a spreadsheet would run has an apostrophe before it, as a person would type it. */
function textCell(text: string): string {
  const line = text.replaceAll('\0', '').replaceAll(/\s+/g, ' ')
  return `"${line.replaceAll(FORMULA, "'").replaceAll('"', '""')}"`
}

/** So that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

const END = '\r\n'

/** A statement as CSV (RFC 4180), piece by piece: the opening balance, each transaction, the closing balance. */
export async function* csvOf(statement: Statement, lines: StatementLines): AsyncGenerator<string> {
  const { range, asset, openingMinor, closingMinor } = statement
  const balance = (type: string, day: string, minor: number) =>
    [type, day, '', '', '', '', '', '', '', asset, plainAmount(minor)].join(',') + END
  yield BYTE_ORDER_MARK + CSV_HEADINGS.join(',') + END + balance('opening', range.from, openingMinor)
  for await (const some of lines) yield some.map((line) => rowOf(line, asset) + END).join('')
  yield balance('closing', range.to, closingMinor)
}

function rowOf(line: StatementLine, asset: string): string {
  return [
    'transaction',
    line.bookedAt.slice(0, 10),
    line.bookedAt.slice(11, 19),
    line.transactionId,
    textCell(line.name),
    textCell(line.category),
    textCell(line.method),
    textCell(line.note),
    plainAmount(line.amountMinor),
    asset,
    plainAmount(line.balanceMinor),
  ].join(',')
}
