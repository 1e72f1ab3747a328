import { fold } from '#contract/folding.ts'
import { CsvError, parse } from 'csv-parse/sync'
import { Refusal } from '#contract/errors.ts'
import { IMPORT_COLUMNS, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { CSV_HEADINGS } from '#server/statements/formats/csv.ts'
import { amountCell } from '#server/statements/imports/amounts.ts'
import { FIRST_DAY, readDay } from '#server/statements/imports/days.ts'
import { headingLanguage } from '#server/statements/imports/heading-language.ts'
import { HEADED } from '#server/statements/imports/words.ts'

/** A column: its heading, '' for none, those of its cells that say something, of the first lines, and the share of these. */
export type Column = { index: number; heading: string; cells: string[]; filled: number }

/**
 * A table. `rows`: its lines of data; `firstLine`: where the first of them stands, counted from 1. `language`: that of its headings; null where
 * it has none, or they do not say.
 */
export type Table = {
  rows: readonly string[][]
  firstLine: number
  columns: readonly Column[]
  delimiter: string
  language: string | null
}

const DELIMITERS = [',', ';', '\t', '|']
/** The lines before and after the payments that a file may have beside them. */
const AROUND_MOST = 100
/** The characters of a line: no payment of a bank has more. */
const LINE_MOST = 20_000
/** The lines that a guess is made from, and among which the headings are. */
const LOOKED_AT = 200
const HEADINGS_WITHIN = 40

/** Which character parts the cells: the one that most of the first lines have most of. */
function delimiterOf(text: string): string {
  const said = /^sep=(.)\r?\n/i.exec(text)?.[1]
  if (said !== undefined && DELIMITERS.includes(said)) return said
  const lines = text.slice(0, 20_000).split(/\r\n|\r|\n/, 50)
  const counts = DELIMITERS.map((delimiter) => {
    const each = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0)
    return { delimiter, lines: each.length, cells: each.reduce((sum, count) => sum + count, 0) }
  })
  const [best] = counts.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.delimiter ?? ','
}

/** Cells that are written as formulas, so that spreadsheets keep their texts: `="1,450.00"`. */
const withoutFormulas = (text: string): string =>
  text.replaceAll(/(^|[,;\t|])="([^"\r\n]*)"(?=[,;\t|\r\n]|$)/gm, '$1"$2"')

/** Throws Refusal `import_unreadable` and `import_too_long`. */
function rowsOf(text: string, delimiter: string): string[][] {
  // The parser counts what is in the cells: a million empty ones would be nothing to it, and take it seconds.
  if (text.split(/[\r\n]/).some((line) => line.length > LINE_MOST)) throw new Refusal('import_unreadable')
  let rows: string[][]
  try {
    rows = parse(text, {
      delimiter,
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
  // A line of dashes or stars says nothing.
  return rows.map((row) =>
    row.some((cell) => /[\p{L}\p{N}]/u.test(cell)) ? row.slice(0, IMPORT_COLUMNS).map((cell) => cell.trim()) : [],
  )
}

const isDay = (cell: string): boolean =>
  (['ymd', 'dmy', 'mdy'] as const).some((format) => (readDay(cell, format) ?? '') >= FIRST_DAY)

/** Whether a line heads columns: it has words for two of them at least, and neither days nor amounts. */
function isHeadings(row: readonly string[]): boolean {
  if (row.some((cell) => isDay(cell) || amountCell(cell) !== null)) return false
  const roles = [
    HEADED.date,
    HEADED.payee,
    HEADED.name,
    HEADED.note,
    HEADED.amount,
    HEADED.moneyIn,
    HEADED.moneyOut,
    HEADED.direction,
  ]
  const found = new Set(row.flatMap((cell) => roles.filter((role) => cell.length < 60 && role.test(fold(cell)))))
  return found.size >= 2
}

/** The place of the first line of data: behind the headings, or else the first line with a day in it. */
function dataStart(rows: readonly string[][]): { start: number; headings: readonly string[] } {
  const headed = rows.slice(0, HEADINGS_WITHIN).findIndex(isHeadings)
  if (headed >= 0) return { start: headed + 1, headings: rows[headed] ?? [] }
  const first = Math.max(
    0,
    rows.findIndex((row) => row.some(isDay)),
  )
  // Between the headings and the first day may stand payments without one, which are not booked yet.
  const width = rows[first]?.length ?? 0
  const before = rows
    .slice(0, first)
    .findLastIndex((row) => row.length >= width - 1 && row.length > 0 && row.every((cell) => amountCell(cell) === null))
  return before < 0 ? { start: first, headings: [] } : { start: before + 1, headings: rows[before] ?? [] }
}

/**
 * A CSV as rows of cells, cut to the columns that are looked at. Throws Refusal `import_unreadable` for what is no table,
 * `import_too_long`, and `import_is_own` for a statement of this bank.
 */
export function readTable(text: string): Table {
  const delimiter = delimiterOf(text)
  const rows = rowsOf(withoutFormulas(text.replace(/^sep=.\r?\n/i, '')), delimiter)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width < 3) throw new Refusal('import_unreadable')
  if (rows.some((row) => CSV_HEADINGS.every((heading, index) => row[index] === heading)))
    throw new Refusal('import_is_own')
  const { start, headings } = dataStart(rows)
  const data = rows.slice(start)
  const looked = data.slice(0, LOOKED_AT).filter((row) => row.length > 0)
  const columns = Array.from({ length: width }, (_, index) => {
    const cells = looked.map((row) => row[index] ?? '').filter((cell) => cell !== '')
    return { index, heading: headings[index] ?? '', cells, filled: cells.length / Math.max(1, looked.length) }
  })
  return { rows: data, firstLine: start + 1, columns, delimiter, language: headingLanguage(headings) }
}

/** How each column of a table is headed, and some of what is in it: for whoever says which is which. */
export function describeColumns({ columns }: Table): { heading: string; samples: string[] }[] {
  return columns.map(({ heading, cells }) => ({
    heading: heading.slice(0, 60),
    samples: cells.slice(0, 3).map((cell) => cell.slice(0, 60)),
  }))
}
