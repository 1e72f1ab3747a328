import { fold } from '#contract/folding.ts'
import { CsvError, parse } from 'csv-parse/sync'
import { Refusal } from '#contract/errors.ts'
import { IMPORT_COLUMNS, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { CSV_HEADINGS } from '#server/statements/formats/csv.ts'
import { amountCell } from '#server/statements/imports/amounts.ts'
import { FIRST_DAY, readDay } from '#server/statements/imports/read-day.ts'
import { headingLanguage } from '#server/statements/imports/heading-language.ts'
import { HEADINGS } from '#server/statements/imports/bank-vocabulary.ts'

/**
 * A column of a table. `heading`: '' if it has none. `cells`: the non-empty cells of the first lines. `filled`: the share of
 * these lines that have a non-empty cell.
 */
export type Column = { index: number; heading: string; cells: string[]; filled: number }

/**
 * A table. `rows`: its lines of data. `firstLine`: the line number of the first row, counted from 1 without empty lines.
 * `language`: the language of the headings; null if there are none, or they match none.
 */
export type Table = {
  rows: readonly string[][]
  firstLine: number
  columns: readonly Column[]
  delimiter: string
  language: string | null
}

const DELIMITERS = [',', ';', '\t', '|']
/** The number of lines that a file may have in addition to its payments, such as headings and totals. */
const MAX_AROUND = 100
/** The number of characters allowed in a line. No payment of a bank has more. */
const MAX_LINE = 20_000
/** The number of lines that a guess examines, and the number of lines that may contain the headings. */
const LOOKED_AT = 200
const HEADINGS_WITHIN = 40

/**
 * Returns the character that separates cells. This is the one that the file declares, or else the one that the largest number
 * of the first lines contain.
 */
function delimiterOf(text: string): string {
  const declaredDelimiter = /^sep=(.)\r?\n/i.exec(text)?.[1]
  if (declaredDelimiter !== undefined && DELIMITERS.includes(declaredDelimiter)) return declaredDelimiter
  const lines = text.slice(0, 20_000).split(/\r\n|\r|\n/, 50)
  const counts = DELIMITERS.map((delimiter) => {
    const countsPerLine = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0)
    return { delimiter, lines: countsPerLine.length, cells: countsPerLine.reduce((sum, count) => sum + count, 0) }
  })
  const [best] = counts.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.delimiter ?? ','
}

/** Returns a text without the formula form `="1,450.00"`, which stops spreadsheets from converting a cell. */
const withoutFormulas = (text: string): string =>
  text.replaceAll(/(^|[,;\t|])="([^"\r\n]*)"(?=[,;\t|\r\n]|$)/gm, '$1"$2"')

/** Throws Refusal `import_unreadable` and `import_too_long`. */
function rowsOf(text: string, delimiter: string): string[][] {
  // The parser limits only the content of cells. A million empty cells would pass its limit and take seconds.
  if (text.split(/[\r\n]/).some((line) => line.length > MAX_LINE)) throw new Refusal('import_unreadable')
  let rows: string[][]
  try {
    rows = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_LINE,
      to: IMPORT_ROWS + MAX_AROUND + 1,
    })
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal('import_unreadable', undefined, { cause: error })
    throw error
  }
  if (rows.length > IMPORT_ROWS + MAX_AROUND) throw new Refusal('import_too_long')
  // A line of dashes or stars carries no information.
  return rows.map((row) =>
    row.some((cell) => /[\p{L}\p{N}]/u.test(cell)) ? row.slice(0, IMPORT_COLUMNS).map((cell) => cell.trim()) : [],
  )
}

const isDay = (cell: string): boolean =>
  (['ymd', 'dmy', 'mdy'] as const).some((format) => (readDay(cell, format) ?? '') >= FIRST_DAY)

/** Returns whether a line contains headings: it has known words for at least two columns, and neither days nor amounts. */
function isHeadings(row: readonly string[]): boolean {
  if (row.some((cell) => isDay(cell) || amountCell(cell) !== null)) return false
  const roles = [
    HEADINGS.date,
    HEADINGS.payee,
    HEADINGS.name,
    HEADINGS.note,
    HEADINGS.amount,
    HEADINGS.moneyIn,
    HEADINGS.moneyOut,
    HEADINGS.direction,
  ]
  const columnRoles = new Set(row.flatMap((cell) => roles.filter((role) => cell.length < 60 && role.test(fold(cell)))))
  return columnRoles.size >= 2
}

/**
 * Returns the headings and the index of the first line of data. Without known headings, the last wide line without amounts
 * above the first day counts as the headings. If there is no such line either, the data begins at the first day.
 */
function dataStart(rows: readonly string[][]): { start: number; headings: readonly string[] } {
  const headingIndex = rows.slice(0, HEADINGS_WITHIN).findIndex(isHeadings)
  if (headingIndex >= 0) return { start: headingIndex + 1, headings: rows[headingIndex] ?? [] }
  const first = Math.max(
    0,
    rows.findIndex((row) => row.some(isDay)),
  )
  // Pending payments without a day may stand between the headings and the first day.
  const width = rows[first]?.length ?? 0
  const before = rows
    .slice(0, first)
    .findLastIndex((row) => row.length >= width - 1 && row.length > 0 && row.every((cell) => amountCell(cell) === null))
  return before < 0 ? { start: first, headings: [] } : { start: before + 1, headings: rows[before] ?? [] }
}

/**
 * Returns a CSV as rows of cells, cut to the number of columns that the bank examines. Throws Refusal `import_unreadable` for a
 * file that is no table, `import_too_long`, and `import_is_own` for a statement of this bank.
 */
export function readTable(text: string): Table {
  const delimiter = delimiterOf(text)
  const rows = rowsOf(withoutFormulas(text.replace(/^sep=.\r?\n/i, '')), delimiter)
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width < 3) throw new Refusal('import_unreadable')
  if (rows.some((row) => CSV_HEADINGS.every((heading, index) => row[index] === heading)))
    throw new Refusal('import_is_own')
  const { start, headings } = dataStart(rows)
  const data = rows.slice(start)
  const sampleRows = data.slice(0, LOOKED_AT).filter((row) => row.length > 0)
  const columns = Array.from({ length: width }, (_, index) => {
    const cells = sampleRows.map((row) => row[index] ?? '').filter((cell) => cell !== '')
    return { index, heading: headings[index] ?? '', cells, filled: cells.length / Math.max(1, sampleRows.length) }
  })
  return { rows: data, firstLine: start + 1, columns, delimiter, language: headingLanguage(headings) }
}

/** Returns the heading and some cells of each column, so that the customer can assign them. */
export function describeColumns({ columns }: Table): { heading: string; samples: string[] }[] {
  return columns.map(({ heading, cells }) => ({
    heading: heading.slice(0, 60),
    samples: cells.slice(0, 3).map((cell) => cell.slice(0, 60)),
  }))
}
