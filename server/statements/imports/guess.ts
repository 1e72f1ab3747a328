import { DATE_FORMATS, type DateFormat, DECIMAL_MARKS, type DecimalMark } from '#contract/statement-formats.ts'
import { type ColumnMapping } from '#contract/statements.ts'
import type { Table } from '#server/statements/imports/table.ts'
import { readCents, readDay, withoutCurrency, words } from '#server/statements/imports/values.ts'

/** The lines that a guess is made from. */
const LOOKED_AT = 200

/** What banks head their columns with. */
const HEADED = {
  date: words(String.raw`date|posted|datum|buchungstag|buchung|fecha|data|dzień|日期|日付|تاريخ`, '日期|日付|تاريخ'),
  name: words(
    String.raw`description|name|payee|merchant|details|counterparty|beneficiary|empfänger|auftraggeber|verwendungszweck|buchungstext|libell[eé]|concepto|descripci[oó]n|descri[cç][aã]o|omschrijving|naam|opis|odbiorca`,
    '摘要|説明|الوصف',
  ),
  amount: words(
    String.raw`amount|betrag|umsatz|importe|montant|valor|bedrag|kwota|debit|withdrawal|paid out|money out|soll|débito?|cargo`,
    '金额|金額|المبلغ',
  ),
  moneyIn: words(String.raw`credit|deposit|paid in|money in|haben|cr[eé]dito?|abono`),
} as const

/** Columns that look like amounts or names, and say something else. */
const NOT_AMOUNT = words(String.raw`balance|saldo|solde|bal`)
const SPENT_APART = words(String.raw`debit|withdrawal|paid out|money out|soll|débito?|cargo`)

type Column = { index: number; heading: string; cells: string[] }

const share = (cells: readonly string[], fits: (cell: string) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(fits).length / cells.length

/**
 * Whether days may begin with their year. One of two digits could be a day as well: '03.08.26' is no day of 2003. Where it is the
 * year, it differs less from cell to cell than the day at the end.
 */
function mayBeginWithYear(cells: readonly string[]): boolean {
  const short = cells.flatMap((cell) => {
    const [, first, last] = /^(\d{1,2})\D+\d{1,2}\D+(\d{1,2})(?!\d)/.exec(cell.trim()) ?? []
    return first === undefined ? [] : [{ first, last }]
  })
  if (short.length === 0) return true
  return new Set(short.map(({ first }) => first)).size < new Set(short.map(({ last }) => last)).size
}

/** How many of the cells that say something are days in one of the formats, the best of them first. */
function dateFormatsOf(cells: readonly string[], isAmerican: boolean): { format: DateFormat; share: number }[] {
  // With points between them, the day comes first everywhere.
  const prefersMonth = isAmerican && !cells.some((cell) => /\d\.\d/.test(cell))
  const order: readonly DateFormat[] = prefersMonth ? ['ymd', 'mdy', 'dmy'] : DATE_FORMATS
  return (mayBeginWithYear(cells) ? order : [...order.slice(1), ...order.slice(0, 1)])
    .map((format) => ({ format, share: share(cells, (cell) => readDay(cell, format) !== null) }))
    .toSorted((a, b) => b.share - a.share)
}

/** Amounts in another currency are amounts all the same: what reads them says so. */
function decimalMarkOf(said: readonly string[]): { mark: DecimalMark; share: number } {
  const cells = said.map(withoutCurrency)
  const shares = DECIMAL_MARKS.map((mark) => ({ mark, share: share(cells, (cell) => readCents(cell, mark) !== null) }))
  const [point, comma] = shares as [(typeof shares)[0], (typeof shares)[0]]
  if (point.share !== comma.share) return point.share > comma.share ? point : comma
  // Both can be: two digits behind a comma are cents.
  return cells.some((cell) => /,\d{1,2}\D*$/.test(cell)) && !cells.some((cell) => /\.\d{1,2}\D*$/.test(cell))
    ? comma
    : point
}

/** At least this share of a column's cells are what the column is. */
const MOSTLY = 0.6

function columnsOf({ rows, columns }: Table): Column[] {
  // What heads the columns is the last line with as many cells as most, and no day, before the first with one.
  const first = rows.findIndex((row) =>
    row.some((cell) => DATE_FORMATS.some((format) => readDay(cell, format) !== null)),
  )
  const headings = rows[first - 1] ?? []
  const data = rows.slice(Math.max(0, first), Math.max(0, first) + LOOKED_AT)
  return Array.from({ length: columns }, (_, index) => ({
    index,
    heading: headings[index] ?? '',
    cells: data.map((row) => row[index] ?? '').filter((cell) => cell !== ''),
  }))
}

function best(columns: readonly Column[], score: (column: Column) => number): Column | null {
  const scored = columns.map((column) => ({ column, score: score(column) })).filter((one) => one.score > 0)
  return scored.toSorted((a, b) => b.score - a.score || a.column.index - b.column.index)[0]?.column ?? null
}

/** How each column of a table is headed, and some of what is in it: for whoever says which is which. */
export function describeColumns(table: Table): { heading: string; samples: string[] }[] {
  return columnsOf(table).map(({ heading, cells }) => ({
    heading: heading.slice(0, 60),
    samples: cells.slice(0, 3).map((cell) => cell.slice(0, 60)),
  }))
}

/**
 * Which column of a table is what, by what they are headed with and what is in them; null where that is not clear. `language`: what the
 * customer reads, which decides where 3/4 may be either.
 */
export function guessMapping(table: Table, language: string): ColumnMapping | null {
  const columns = columnsOf(table)
  const isAmerican = language === 'en'
  const date = best(columns, ({ heading, cells }) => {
    const [found] = dateFormatsOf(cells, isAmerican)
    return found && found.share >= MOSTLY ? found.share + (HEADED.date.test(heading) ? 1 : 0) : 0
  })
  if (!date) return null
  const others = columns.filter(({ index }) => index !== date.index)
  const amounts = others.filter(({ cells }) => decimalMarkOf(cells).share >= MOSTLY)
  const amount = best(amounts, ({ heading, cells }) => {
    if (NOT_AMOUNT.test(heading)) return 0.01
    const isMoney = share(cells, (cell) => /[.,]\d{2}\D*$/.test(cell))
    return 0.1 + isMoney + (HEADED.amount.test(heading) ? 2 : 0)
  })
  if (!amount) return null
  const moneyIn = SPENT_APART.test(amount.heading)
    ? best(amounts, ({ heading, index }) => (index !== amount.index && HEADED.moneyIn.test(heading) ? 1 : 0))
    : null
  const taken = new Set([amount.index, moneyIn?.index])
  const name = best(
    others.filter(({ index }) => !taken.has(index)),
    ({ heading, cells }) => {
      const letters = share(cells, (cell) => /\p{L}{2}/u.test(cell))
      return letters < 0.3
        ? 0
        : letters + new Set(cells).size / (cells.length * 2) + (HEADED.name.test(heading) ? 2 : 0)
    },
  )
  if (!name) return null
  const { mark } = decimalMarkOf([...amount.cells, ...(moneyIn?.cells ?? [])])
  const signs = amount.cells.map((cell) => readCents(cell, mark) ?? 0n)
  return {
    date: date.index,
    name: name.index,
    amount: amount.index,
    moneyIn: moneyIn?.index ?? null,
    dateFormat: dateFormatsOf(date.cells, isAmerican)[0]?.format ?? 'ymd',
    decimalMark: mark,
    // Of a card's statement, where nothing has a sign, all was spent.
    spending: signs.some((cents) => cents < 0n) ? 'negative' : 'positive',
  }
}
