import { CsvError, parse } from 'csv-parse/sync'
import { Refusal } from '#contract/errors.ts'
import { IMPORT_COLUMNS, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ColumnMapping, type ImportedPayment } from '#contract/statements.ts'
import { CSV_HEADINGS } from '#server/statements/formats/csv.ts'
import { type FoundPayment, paymentOf, withIdentities } from '#server/statements/imports/found.ts'
import { isForeign, readCents, readDay } from '#server/statements/imports/values.ts'

export type Table = { rows: readonly string[][]; columns: number }

const DELIMITERS = [',', ';', '\t', '|']
/** The lines before and after the payments that a file may have beside them. */
const AROUND_MOST = 100
/** The characters of a line: no payment of a bank has more. */
const LINE_MOST = 20_000

/** Which character parts the cells: the one that most of the first lines have most of. */
function delimiterOf(text: string): string {
  const lines = text.slice(0, 20_000).split(/\r\n|\r|\n/, 50)
  const counts = DELIMITERS.map((delimiter) => {
    const each = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0)
    return { delimiter, lines: each.length, cells: each.reduce((sum, count) => sum + count, 0) }
  })
  const [best] = counts.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.delimiter ?? ','
}

/**
 * A CSV as rows of cells, cut to the columns that are looked at. Throws Refusal `import_unreadable` for what is no table,
 * `import_too_long`, and `import_is_own` for a statement of this bank.
 */
export function readTable(text: string): Table {
  // The parser counts what is in the cells: a million empty ones would be nothing to it, and take it seconds.
  if (text.split(/[\r\n]/).some((line) => line.length > LINE_MOST)) throw new Refusal('import_unreadable')
  let rows: string[][]
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: LINE_MOST,
      to: IMPORT_ROWS + AROUND_MOST + 1,
    })
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal('import_unreadable', undefined, { cause: error })
    throw error
  }
  if (rows.length > IMPORT_ROWS + AROUND_MOST) throw new Refusal('import_too_long')
  const cut = rows.map((row) => row.slice(0, IMPORT_COLUMNS))
  const columns = cut.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns < 3) throw new Refusal('import_unreadable')
  if (CSV_HEADINGS.every((heading, index) => cut[0]?.[index] === heading)) throw new Refusal('import_is_own')
  return { rows: cut, columns }
}

type RowReader = (row: readonly string[]) => ImportedPayment | null

function rowReader(mapping: ColumnMapping, today: string): RowReader {
  const { date, name, amount, moneyIn, dateFormat, decimalMark, spending } = mapping
  const centsIn = (row: readonly string[], column: number): bigint | null => {
    const text = row[column] ?? ''
    const cents = readCents(text, decimalMark)
    if (cents === null && /\d/.test(text) && isForeign(text)) throw new Refusal('import_currency')
    return cents
  }
  const amountOf = (row: readonly string[]): bigint | null => {
    const cents = centsIn(row, amount)
    if (moneyIn === null) return cents !== null && spending === 'positive' ? -cents : cents
    const came = centsIn(row, moneyIn)
    if (came !== null && came !== 0n) return came
    // Some write what went out with a sign, and some without.
    return cents === null ? null : cents > 0n ? -cents : cents
  }
  return (row) => {
    const bookedOn = readDay(row[date] ?? '', dateFormat)
    if (bookedOn === null || bookedOn > today) return null
    const cents = amountOf(row)
    return cents === null || cents === 0n ? null : paymentOf({ bookedOn, name: row[name] ?? '', cents })
  }
}

/**
 * The payments of a table up to `today`, and how many of the lines from the first payment on are none. Throws Refusal
 * `import_columns` where one column is to be two things, `import_too_long`, `import_currency`, `import_amount_too_large`.
 */
export function paymentsOfTable(
  { rows }: Table,
  mapping: ColumnMapping,
  today: string,
): { payments: FoundPayment[]; skipped: number } {
  const chosen = [mapping.date, mapping.name, mapping.amount, ...(mapping.moneyIn === null ? [] : [mapping.moneyIn])]
  if (new Set(chosen).size < chosen.length) throw new Refusal('import_columns')
  const read = rowReader(mapping, today)
  const payments: ImportedPayment[] = []
  let skipped = 0
  for (const row of rows) {
    const payment = read(row)
    if (payment) payments.push(payment)
    // What stands above the first payment are headings.
    else if (payments.length > 0) skipped += 1
  }
  if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
  return { payments: withIdentities(payments), skipped }
}
