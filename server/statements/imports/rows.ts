import { Refusal } from '#contract/errors.ts'
import { type DecimalMark, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ColumnMapping, type ImportedPayment } from '#contract/statements.ts'
import { amountCell, type AmountCell, marksOf, readCents } from '#server/statements/imports/amounts.ts'
import { isSummarised } from '#server/statements/imports/columns.ts'
import { currencyIn, currencyNamed } from '#server/statements/imports/currencies.ts'
import { readDay } from '#server/statements/imports/days.ts'
import {
  dayProblem,
  type Found,
  leftOutLine,
  paymentOf,
  type Skip,
  sourceOf,
  withIdentities,
} from '#server/statements/imports/found.ts'
import type { Table } from '#server/statements/imports/table.ts'
import { directionOf, isBalance, stateOf } from '#server/statements/imports/words.ts'

type Row = readonly string[]

/** How the rows of one table are read. `mark`: null where nothing tells it. */
type Reading = {
  mapping: ColumnMapping
  mark: DecimalMark | null
  today: string
  /** The currency that the heading of the amounts names, other than dollars. */
  headedIn: string | null
  /** Whether most of what went out, or came in, stands below zero in its own column. */
  outIsBelow: boolean
  inIsBelow: boolean
  /** The columns that say something else than whom was paid. */
  taken: ReadonlySet<number>
}

const isSkip = (read: object): read is Skip => 'reason' in read

const cellOf = (row: Row, column: number | null): string => (column === null ? '' : (row[column] ?? ''))

type Amount = { cents: bigint; cell: AmountCell }

/** The amount of a cell, below zero where the cell says so; null where the cell is empty. */
function amountIn(text: string, { mark }: Pick<Reading, 'mark'>): Amount | Skip | null {
  if (text === '' || /^[-–—]$/.test(text)) return null
  const cell = amountCell(text)
  if (!cell) return { reason: 'amount' }
  if (cell.currency !== null && cell.currency !== 'USD') return { reason: 'currency', currency: cell.currency }
  if (mark === null && marksOf(cell.digits).isAmbiguous) return { reason: 'amount_unsure' }
  const cents = readCents(cell.digits, mark)
  return cents === null ? { reason: 'amount' } : { cents: cell.isBelow ? -cents : cents, cell }
}

const magnitude = (cents: bigint): bigint => (cents < 0n ? -cents : cents)
type Signed = { cents: bigint }

/** Of two columns: what came in, or what went out. A line with both is no payment. */
function ofTwoColumns(row: Row, reading: Reading): Signed | Skip {
  const { mapping, outIsBelow, inIsBelow } = reading
  const [out, into] = [cellOf(row, mapping.amount), cellOf(row, mapping.moneyIn)].map((text) => amountIn(text, reading))
  if (out && isSkip(out)) return out
  if (into && isSkip(into)) return into
  const [went, came] = [out?.cents ?? 0n, into?.cents ?? 0n]
  if (!out && !into) return { reason: 'amount' }
  if (went !== 0n && came !== 0n) return { reason: 'direction' }
  if (came !== 0n) return { cents: inIsBelow ? -came : came }
  return { cents: outIsBelow ? went : -went }
}

/** What a cell's own mark, the column of directions or the sign says, in this order. */
function ofOneColumn(row: Row, reading: Reading): Signed | Skip {
  const { mapping } = reading
  const amount = amountIn(cellOf(row, mapping.amount), reading)
  if (!amount) return { reason: 'amount' }
  if (isSkip(amount)) return amount
  const { cents, cell } = amount
  const said = mapping.direction === null ? cell.direction : directionOf(cellOf(row, mapping.direction))
  if (mapping.direction !== null && said === null) return { reason: 'direction' }
  if (said === null) return { cents: mapping.spending === 'positive' ? -cents : cents }
  // '-12.50 CR' says both.
  if (said === 'in' && cents < 0n) return { reason: 'direction' }
  return { cents: said === 'in' ? magnitude(cents) : -magnitude(cents) }
}

function currencyProblem(row: Row, { mapping, headedIn }: Reading): Skip | null {
  if (headedIn !== null) return { reason: 'currency', currency: headedIn }
  const said = cellOf(row, mapping.currency)
  if (said === '') return null
  const currency = currencyNamed(said)
  return currency === 'USD' ? null : { reason: 'currency', currency: currency ?? said.slice(0, 12) }
}

/** A fee is paid whichever way the payment went, and files write it with a minus or without. */
function lessFee({ cents }: Signed, row: Row, reading: Reading): Signed | Skip {
  const fee = amountIn(cellOf(row, reading.mapping.fee), reading)
  if (!fee) return { cents }
  return isSkip(fee) ? fee : { cents: cents - magnitude(fee.cents) }
}

function stateProblem(row: Row, { mapping }: Reading): Skip | null {
  const said = cellOf(row, mapping.state)
  const state = said === '' ? 'booked' : stateOf(said)
  return state === 'booked' ? null : { reason: state ?? 'state' }
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d ]{8,}$/

/** Who was paid; where the column of names is empty, the longest text of the line. */
function nameOf(row: Row, { mapping, taken }: Reading): string {
  const name = cellOf(row, mapping.name)
  if (name !== '') return name
  const others = row.filter((cell, index) => !taken.has(index) && /\p{L}{2}/u.test(cell) && !IBAN.test(cell))
  return others.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

function readRow(row: Row, reading: Reading, isSummary: boolean): ImportedPayment | Skip {
  const { mapping, today } = reading
  const name = nameOf(row, reading)
  if (isSummary) return { reason: 'balance' }
  if (name === '' ? row.some(isBalance) : isBalance(name)) return { reason: 'balance' }
  const dayText = cellOf(row, mapping.date)
  const bookedOn = readDay(dayText, mapping.dateFormat)
  const problem =
    stateProblem(row, reading) ??
    (bookedOn === null && stateOf(dayText) === 'pending' ? { reason: 'pending' as const } : dayProblem(bookedOn, today))
  if (problem) return problem
  const foreign = currencyProblem(row, reading)
  if (foreign) return foreign
  const amount = mapping.moneyIn === null ? ofOneColumn(row, reading) : ofTwoColumns(row, reading)
  if (isSkip(amount)) return amount
  const total = lessFee(amount, row, reading)
  if (isSkip(total)) return total
  return total.cents === 0n ? { reason: 'zero' } : paymentOf({ bookedOn: bookedOn ?? today, name, cents: total.cents })
}

/** Whether most of the amounts of a column stand below zero. */
function areBelow(rows: readonly Row[], column: number | null): boolean {
  const found = rows
    .flatMap((row) => amountCell(cellOf(row, column)) ?? [])
    .filter(({ digits }) => /[1-9]/.test(digits))
  return found.filter(({ isBelow }) => isBelow).length * 2 > found.length
}

const columnsOf = ({ date, name, amount, moneyIn, direction, currency, fee, state }: ColumnMapping): number[] =>
  [date, name, amount, moneyIn, direction, currency, fee, state].filter((column) => column !== null)

/** What may not be chosen: one column for two things. Throws Refusal `import_columns`. */
function checkColumns(mapping: ColumnMapping): void {
  const chosen = columnsOf(mapping)
  if (new Set(chosen).size < chosen.length) throw new Refusal('import_columns')
}

/**
 * The payments of a table up to `today`, and the lines that are none, each with its reason. `isMarkSure`: amounts with two
 * readings are read by the mapping's decimal mark. Throws Refusal `import_columns`, `import_too_long` and `import_amount_too_large`.
 */
export function paymentsOfTable(
  table: Table,
  mapping: ColumnMapping,
  { today, isMarkSure }: { today: string; isMarkSure: boolean },
): Found {
  checkColumns(mapping)
  const named = currencyIn(table.columns[mapping.amount]?.heading ?? '')
  const reading: Reading = {
    mapping,
    today,
    mark: isMarkSure ? mapping.decimalMark : null,
    headedIn: named === 'USD' ? null : named,
    outIsBelow: areBelow(table.rows, mapping.amount),
    inIsBelow: areBelow(table.rows, mapping.moneyIn),
    taken: new Set(columnsOf(mapping)),
  }
  const hasSummary = isSummarised(table, mapping)
  const read = table.rows.map((row, index) => ({
    row,
    line: table.firstLine + index,
    result: readRow(row, reading, hasSummary && index === 0),
  }))
  const payments = read.flatMap(({ result }) => (isSkip(result) ? [] : [result]))
  if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
  return {
    payments: withIdentities(payments, sourceOf('csv', table.columns.map(({ heading }) => heading).join('\n'))),
    leftOut: read.flatMap(({ row, line, result }) =>
      isSkip(result) && row.some((cell) => cell !== '')
        ? [leftOutLine({ line, text: row.join(' · '), ...result })]
        : [],
    ),
  }
}
