import { Refusal } from '#contract/errors.ts'
import { type DecimalMark, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ColumnMapping, type ImportedPayment } from '#contract/statements.ts'
import { amountCell, type AmountCell, possibleMarksOf, readCents } from '#server/statements/imports/amounts.ts'
import { hasSummaryLine } from '#server/statements/imports/columns.ts'
import { currencyIn, parseCurrency } from '#server/statements/imports/currencies.ts'
import { readDay } from '#server/statements/imports/read-day.ts'
import {
  dayProblem,
  type FoundInFile,
  leftOutLine,
  paymentOf,
  type SkipReason,
  importSourceOf,
  withIdentities,
} from '#server/statements/imports/found-payments.ts'
import type { Table } from '#server/statements/imports/table.ts'
import { entryDirectionOf, isBalance, entryStateOf } from '#server/statements/imports/bank-vocabulary.ts'

type Row = readonly string[]

/** The settings for the rows of one table. `mark`: null if nothing proves the decimal mark. */
type Reading = {
  mapping: ColumnMapping
  mark: DecimalMark | null
  today: string
  /** The currency in the heading of the amounts, if it is not US dollars. */
  headedIn: string | null
  /** Whether most amounts of the column for money out, or money in, are negative. */
  outIsBelow: boolean
  inIsBelow: boolean
  /** The columns that already have a meaning. */
  taken: ReadonlySet<number>
}

const isSkip = (result: object): result is SkipReason => 'reason' in result

const cellOf = (row: Row, column: number | null): string => (column === null ? '' : (row[column] ?? ''))

type Amount = { cents: bigint; cell: AmountCell }

/** Returns the amount of a cell, negative if the cell has a minus, or null if the cell is empty or only a dash. */
function amountIn(text: string, { mark }: Pick<Reading, 'mark'>): Amount | SkipReason | null {
  if (text === '' || /^[-–—]$/.test(text)) return null
  const cell = amountCell(text)
  if (!cell) return { reason: 'amount' }
  if (cell.currency !== null && cell.currency !== 'USD') return { reason: 'currency', currency: cell.currency }
  if (mark === null && possibleMarksOf(cell.digits).isAmbiguous) return { reason: 'amount_unsure' }
  const cents = readCents(cell.digits, mark)
  return cents === null ? { reason: 'amount' } : { cents: cell.isBelow ? -cents : cents, cell }
}

const magnitude = (cents: bigint): bigint => (cents < 0n ? -cents : cents)
type Signed = { cents: bigint }

/** Returns the amount from two columns, for money in and money out. A line with an amount in both is not a payment. */
function readTwoColumns(row: Row, reading: Reading): Signed | SkipReason {
  const { mapping, outIsBelow, inIsBelow } = reading
  const [outAmount, inAmount] = [cellOf(row, mapping.amount), cellOf(row, mapping.moneyIn)].map((text) =>
    amountIn(text, reading),
  )
  if (outAmount && isSkip(outAmount)) return outAmount
  if (inAmount && isSkip(inAmount)) return inAmount
  const [outCents, inCents] = [outAmount?.cents ?? 0n, inAmount?.cents ?? 0n]
  if (!outAmount && !inAmount) return { reason: 'amount' }
  if (outCents !== 0n && inCents !== 0n) return { reason: 'direction' }
  if (inCents !== 0n) return { cents: inIsBelow ? -inCents : inCents }
  return { cents: outIsBelow ? outCents : -outCents }
}

/**
 * Returns the amount from one column. Its direction comes from the column of directions. Without such a column, it comes from
 * the cell's own word, or else from the sign.
 */
function readOneColumn(row: Row, reading: Reading): Signed | SkipReason {
  const { mapping } = reading
  const amount = amountIn(cellOf(row, mapping.amount), reading)
  if (!amount) return { reason: 'amount' }
  if (isSkip(amount)) return amount
  const { cents, cell } = amount
  const direction = mapping.direction === null ? cell.direction : entryDirectionOf(cellOf(row, mapping.direction))
  if (mapping.direction !== null && direction === null) return { reason: 'direction' }
  if (direction === null) return { cents: mapping.spending === 'positive' ? -cents : cents }
  // '-12.50 CR' contradicts itself.
  if (direction === 'in' && cents < 0n) return { reason: 'direction' }
  return { cents: direction === 'in' ? magnitude(cents) : -magnitude(cents) }
}

function currencyProblem(row: Row, { mapping, headedIn }: Reading): SkipReason | null {
  if (headedIn !== null) return { reason: 'currency', currency: headedIn }
  const currencyText = cellOf(row, mapping.currency)
  if (currencyText === '') return null
  const currency = parseCurrency(currencyText)
  return currency === 'USD' ? null : { reason: 'currency', currency: currency ?? currencyText.slice(0, 12) }
}

/** Subtracts the fee. A fee is a cost in either direction, and files write it with or without a minus. */
function subtractFee({ cents }: Signed, row: Row, reading: Reading): Signed | SkipReason {
  const fee = amountIn(cellOf(row, reading.mapping.fee), reading)
  if (!fee) return { cents }
  return isSkip(fee) ? fee : { cents: cents - magnitude(fee.cents) }
}

function stateProblem(row: Row, { mapping }: Reading): SkipReason | null {
  const stateText = cellOf(row, mapping.state)
  const state = stateText === '' ? 'booked' : entryStateOf(stateText)
  return state === 'booked' ? null : { reason: state ?? 'state' }
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d ]{8,}$/

/** Returns the name of the payee. If the column of names is empty, returns the longest text of the line. */
function nameOf(row: Row, { mapping, taken }: Reading): string {
  const name = cellOf(row, mapping.name)
  if (name !== '') return name
  const otherTexts = row.filter((cell, index) => !taken.has(index) && /\p{L}{2}/u.test(cell) && !IBAN.test(cell))
  return otherTexts.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

function readRow(row: Row, reading: Reading, isSummary: boolean): ImportedPayment | SkipReason {
  const { mapping, today } = reading
  const name = nameOf(row, reading)
  if (isSummary) return { reason: 'balance' }
  if (name === '' ? row.some(isBalance) : isBalance(name)) return { reason: 'balance' }
  const dayText = cellOf(row, mapping.date)
  const bookedOn = readDay(dayText, mapping.dateFormat)
  const problem =
    stateProblem(row, reading) ??
    (bookedOn === null && entryStateOf(dayText) === 'pending'
      ? { reason: 'pending' as const }
      : dayProblem(bookedOn, today))
  if (problem) return problem
  const currencySkip = currencyProblem(row, reading)
  if (currencySkip) return currencySkip
  const amount = mapping.moneyIn === null ? readOneColumn(row, reading) : readTwoColumns(row, reading)
  if (isSkip(amount)) return amount
  const total = subtractFee(amount, row, reading)
  if (isSkip(total)) return total
  return total.cents === 0n ? { reason: 'zero' } : paymentOf({ bookedOn: bookedOn ?? today, name, cents: total.cents })
}

/** Returns whether most amounts of a column are negative. */
function areBelow(rows: readonly Row[], column: number | null): boolean {
  const rowPayments = rows
    .flatMap((row) => amountCell(cellOf(row, column)) ?? [])
    .filter(({ digits }) => /[1-9]/.test(digits))
  return rowPayments.filter(({ isBelow }) => isBelow).length * 2 > rowPayments.length
}

const columnsOf = ({ date, name, amount, moneyIn, direction, currency, fee, state }: ColumnMapping): number[] =>
  [date, name, amount, moneyIn, direction, currency, fee, state].filter((column) => column !== null)

/** Checks that no column has two meanings. Throws Refusal `import_columns`. */
function checkColumns(mapping: ColumnMapping): void {
  const chosen = columnsOf(mapping)
  if (new Set(chosen).size < chosen.length) throw new Refusal('import_columns')
}

/**
 * Returns the payments of a table up to `today`, and each line that is left out, with its reason. `isMarkSure`: whether the
 * mapping's decimal mark may decide amounts that have two readings. Throws Refusal `import_columns`, `import_too_long` and
 * `import_amount_too_large`.
 */
export function paymentsOfTable(
  table: Table,
  mapping: ColumnMapping,
  { today, isMarkSure }: { today: string; isMarkSure: boolean },
): FoundInFile {
  checkColumns(mapping)
  const headingCurrency = currencyIn(table.columns[mapping.amount]?.heading ?? '')
  const reading: Reading = {
    mapping,
    today,
    mark: isMarkSure ? mapping.decimalMark : null,
    headedIn: headingCurrency === 'USD' ? null : headingCurrency,
    outIsBelow: areBelow(table.rows, mapping.amount),
    inIsBelow: areBelow(table.rows, mapping.moneyIn),
    taken: new Set(columnsOf(mapping)),
  }
  const hasSummary = hasSummaryLine(table, mapping)
  const results = table.rows.map((row, index) => ({
    row,
    line: table.firstLine + index,
    result: readRow(row, reading, hasSummary && index === 0),
  }))
  const payments = results.flatMap(({ result }) => (isSkip(result) ? [] : [result]))
  if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
  return {
    payments: withIdentities(payments, importSourceOf('csv', table.columns.map(({ heading }) => heading).join('\n'))),
    leftOut: results.flatMap(({ row, line, result }) =>
      isSkip(result) && row.some((cell) => cell !== '')
        ? [leftOutLine({ line, text: row.join(' · '), ...result })]
        : [],
    ),
  }
}
