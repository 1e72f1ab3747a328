import { fold } from '#contract/folding.ts'
import {
  type DateFormat,
  type DecimalMark,
  type ImportQuestion,
  type SpendingSign,
} from '#contract/statement-formats.ts'
import type { ColumnMapping } from '#contract/statements.ts'
import {
  amountCell,
  type AmountCell,
  centsIn,
  centsOf,
  markReadingOf,
  readCents,
  type MarkReading,
} from '#server/statements/imports/amounts.ts'
import { areCurrencies, currencyIn } from '#server/statements/imports/currencies.ts'
import { dayReadingOf, type DayReading } from '#server/statements/imports/days.ts'
import { balanceRises, feeIsIncluded, signOf } from '#server/statements/imports/signs.ts'
import type { Column, Table } from '#server/statements/imports/table.ts'
import { directionOf, HEADED, isBalance, stateOf } from '#server/statements/imports/words.ts'

/** At least this share of a column's cells are what the column is. */
const MOSTLY = 0.6

/** What is known of the customer: `language` decides where a file says nothing else. */
export type About = { today: string; language: string }

/** What the bank makes of a table. `questions`: what it cannot tell. */
export type Guess = { mapping: ColumnMapping | null; questions: ImportQuestion[] }

const share = <T>(cells: readonly T[], fits: (cell: T) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(fits).length / cells.length

type Scored = { column: Column; score: number }

/** The column with the most points, the first of equals; null where none has any. */
function best(columns: readonly Column[], score: (column: Column) => number): Column | null {
  const scored: Scored[] = columns.map((column) => ({ column, score: score(column) })).filter((one) => one.score > 0)
  return scored.toSorted((a, b) => b.score - a.score || a.column.index - b.column.index)[0]?.column ?? null
}

const is = (pattern: RegExp, { heading }: Column): boolean => pattern.test(fold(heading))

/** A file is European where its headings are in another language, its amounts have decimal commas between semicolons, or its days points. */
function isEuropean({ delimiter, columns, language }: Table): boolean {
  if (language !== null && !['en', 'zh', 'ja'].includes(language)) return true
  const hasCommas = columns.some(({ cells }) => share(cells, (cell) => /\d,\d{2}$/.test(cell)) > MOSTLY)
  if (delimiter === ';' && hasCommas) return true
  return columns.some(({ cells }) => share(cells, (cell) => /^\d{1,2}\.\d{1,2}\.\d{2,4}\b/.test(cell)) > MOSTLY)
}

/** At least this share of the lines have a day. */
const LEAST_FILLED = 0.4

type Day = { column: Column; reading: DayReading }

/** Numbers of days are days only under a heading that says so. */
const NUMBERED: ReadonlySet<DateFormat> = new Set(['excel', 'unix'])

function dayColumn(table: Table, { today, language }: About): Day | null {
  const hints = { today, isAmerican: language === 'en', mayBeAmerican: !isEuropean(table) }
  // 'Open' or a footer stands where others have a day.
  const readings = new Map(
    table.columns.map((column) => {
      const numbered = column.cells.filter((cell) => /\p{N}/u.test(cell))
      const reading = numbered.length * 2 < column.cells.length ? null : dayReadingOf(numbered, hints)
      return [column, column.filled < LEAST_FILLED ? null : reading] as const
    }),
  )
  const column = best(table.columns, (one) => {
    const reading = readings.get(one)
    if (!reading || reading.share < MOSTLY) return 0
    const isHeaded = is(HEADED.date, one)
    if (NUMBERED.has(reading.format) && !isHeaded) return 0
    if (is(HEADED.otherDate, one)) return reading.share + 0.5
    return reading.share + (is(HEADED.bookedDate, one) ? 1.2 : isHeaded ? 1 : 0)
  })
  const reading = column && readings.get(column)
  return column && reading ? { column, reading } : null
}

const amountsIn = ({ cells }: Column): AmountCell[] => cells.flatMap((cell) => amountCell(cell) ?? [])
const isAmount = (cell: string): boolean => {
  const found = amountCell(cell)
  return found !== null && (centsOf(found.digits, '.') ?? centsOf(found.digits, ',')) !== null
}
/** A dash stands for no amount. */
const isAmounts = ({ cells }: Column): boolean =>
  share(
    cells.filter((cell) => !/^[-–—]+$/.test(cell)),
    isAmount,
  ) >= MOSTLY
/** Of a column that is headed as amounts, where few lines have one: a footer may have words there. */
const hasAmounts = ({ cells }: Column): boolean => cells.length === 0 || cells.some(isAmount)

function amountScore(column: Column): number {
  if (is(HEADED.direction, column) && !is(HEADED.amount, column)) return 0
  // A number of an account, a balance, a fee: an amount only where the table has no other.
  const isOther = is(HEADED.notAmount, column) || is(HEADED.fee, column)
  if (isOther && !is(HEADED.amount, column)) return 0.01
  const hasCents = share(column.cells, (cell) => /[.,]\d{2}\D*$/.test(cell))
  const currency = currencyIn(column.heading)
  return (
    0.1 +
    hasCents +
    (is(HEADED.amount, column) ? 2 : 0) +
    (is(HEADED.moneyOut, column) ? 1 : 0) +
    (is(HEADED.net, column) ? 0.5 : 0) +
    (is(HEADED.booked, column) ? 0.5 : 0) +
    (currency === 'USD' ? 0.5 : currency === null ? 0 : -0.3) -
    (is(HEADED.original, column) ? 1.5 : 0)
  )
}

/** `isSigned`: the balances prove that spending stands below zero. */
type Amounts = { amount: Column; moneyIn: Column | null; isSigned?: true }

/** Whether a heading has a word that says which way money went: 'Amount in USD' has none. */
const says = (pattern: RegExp, { heading }: Column): boolean =>
  pattern.test(fold(heading).replaceAll(/(?<!\p{L})(?:in|no) (?=\S)/gu, ''))

/** The column of amounts, or the two of what went out and what came in. */
function amountColumns(columns: readonly Column[]): Amounts | null {
  const said = (pattern: RegExp, other: RegExp) =>
    columns.filter(
      (column) => says(pattern, column) && !says(other, column) && !is(HEADED.notAmount, column) && hasAmounts(column),
    )
  // Where there are several pairs, the one of the account.
  const weight = (column: Column) =>
    Number(column.filled > 0) + Number(is(HEADED.booked, column)) - Number(is(HEADED.original, column))
  const filledFirst = (a: Column, b: Column) => weight(b) - weight(a)
  const outs = said(HEADED.moneyOut, HEADED.moneyIn).toSorted(filledFirst)
  const [into] = said(HEADED.moneyIn, HEADED.moneyOut).toSorted(filledFirst)
  const out = outs.find((column) => column !== into && !is(HEADED.fee, column)) ?? outs[0]
  if (out && into && [out, into].some(({ cells }) => cells.length > 0)) return { amount: out, moneyIn: into }
  const pair = pairBySigns(columns)
  if (pair) return pair
  const amount = best(columns.filter(isAmounts), amountScore)
  return amount && { amount, moneyIn: null }
}

/** Two columns of which each line has one, where all of the one are below zero: what went out. */
function pairBySigns(columns: readonly Column[]): Amounts | null {
  const partly = columns.filter((column) => column.filled < 1 && isAmounts(column) && !is(HEADED.notAmount, column))
  const [one, other, ...more] = partly
  if (!one || !other || more.length > 0 || Math.abs(one.filled + other.filled - 1) > 0.01) return null
  const below = (column: Column) => share(amountsIn(column), ({ isBelow }) => isBelow)
  if (below(one) === 1 && below(other) === 0) return { amount: one, moneyIn: other }
  return below(other) === 1 && below(one) === 0 ? { amount: other, moneyIn: one } : null
}

/** The lines and columns of amounts among which an amount is looked for by its balance: each is compared with each. */
const COMPARED_LINES = 200
const COMPARED_COLUMNS = 12

/** The amounts of a column, of the lines that have one. */
const centsOfColumn = (rows: Table['rows'], column: number, mark: DecimalMark): bigint[] =>
  rows.flatMap((row) => centsIn(row[column] ?? '', mark) ?? [])

/** A column of amounts and one of balances without headings: each balance is the one before and the amount. */
function amountByBalance({ rows: all, columns }: Table): Amounts | null {
  const rows = all.slice(0, COMPARED_LINES)
  const amounts = columns.filter((column) => column.filled > 0.9 && isAmounts(column)).slice(0, COMPARED_COLUMNS)
  const read = amounts.map((column) => ({ column, cents: centsOfColumn(rows, column.index, '.') }))
  const [found, ...more] = read.flatMap((amount) =>
    amount.cents.some((cents) => cents < 0n) &&
    read.some((balance) => balance !== amount && addUp(amount.cents, balance.cents))
      ? [amount.column]
      : [],
  )
  return found && more.length === 0 ? { amount: found, moneyIn: null, isSigned: true } : null
}

/**
 * Whether the first line of a table without headings is about all of it: the balances add up for the others alone, or it has an account's number
 * where they have names.
 */
export function isSummarised({ rows, columns }: Table, mapping: ColumnMapping): boolean {
  const [first, ...others] = rows.slice(0, COMPARED_LINES)
  if (!first || columns.some(({ heading }) => heading !== '')) return false
  if (ACCOUNT.test(first[mapping.name] ?? '')) return true
  const read = (column: number, lines: Table['rows']) => centsOfColumn(lines, column, mapping.decimalMark)
  const [amounts, all] = [read(mapping.amount, others), read(mapping.amount, [first, ...others])]
  return columns
    .slice(0, COMPARED_COLUMNS)
    .some(
      ({ index }) =>
        index !== mapping.amount && addUp(amounts, read(index, others)) && !addUp(all, read(index, [first, ...others])),
    )
}

/** An account's number by itself, where a payment has a name. */
const ACCOUNT = /^'?(?:[A-Z]{2})?[\d ]{16,40}$/

/** Whether balances before or after each amount, the oldest first or the newest, differ by the amounts. */
function addUp(amounts: readonly bigint[], balances: readonly bigint[]): boolean {
  if (amounts.length < 3 || amounts.length !== balances.length) return false
  const rises = balances.slice(1).map((balance, index) => balance - (balances[index] ?? 0n))
  return [
    rises.every((rise, index) => rise === amounts[index + 1]),
    rises.every((rise, index) => rise === amounts[index]),
    rises.every((rise, index) => -rise === amounts[index]),
    rises.every((rise, index) => -rise === amounts[index + 1]),
  ].some(Boolean)
}

/**
 * Two columns of amounts without headings, of which each line has one, and the balance says which is which. Null where
 * there are none, or no balance says it.
 */
function pairByBalance({ rows, columns }: Table): Amounts | null {
  const amounts = columns.filter(isAmounts)
  const balance = amounts.findLast(({ filled }) => filled === 1)
  const [one, other, ...more] = amounts.filter((column) => column !== balance && column.filled < 1)
  if (!balance || !one || !other || more.length > 0) return null
  const isFilled = (row: readonly string[], { index }: Column) => (row[index] ?? '') !== ''
  if (rows.some((row) => row.length > 0 && isFilled(row, one) === isFilled(row, other))) return null
  const lines = rows.flatMap((row) => {
    const isOne = isFilled(row, one)
    const found = amountCell(row[isOne ? one.index : other.index] ?? '')
    const cents = found && readCents(found.digits, '.')
    return cents === null ? [] : [{ cents: isOne ? -cents : cents, balance: row[balance.index] ?? '' }]
  })
  const rises = balanceRises(lines, '.')
  if (Math.abs(rises) < 0.5) return null
  return rises > 0 ? { amount: one, moneyIn: other } : { amount: other, moneyIn: one }
}

/** Numbers of accounts have letters too, and kinds of payments are no names. */
const isCode = (cell: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d ]{4,}$/.test(cell) || /^[\w-]*\d[\w-]*$/.test(cell) || directionOf(cell) !== null

/** How much a heading says that its column names who was paid. */
function nameWeight(column: Column): number {
  if (is(HEADED.ownName, column) || is(HEADED.identifier, column)) return -1
  // One name on all lines is the customer's own, or says nothing.
  const isOne = column.cells.length > 2 && new Set(column.cells).size === 1
  if (isOne) return 0
  if (is(HEADED.payee, column)) return 2.4
  if (is(HEADED.name, column)) return 2
  return is(HEADED.note, column) ? 1 : 0
}

/** At least this share of the lines name somebody in the column of names; the others are named by another column. */
const LEAST_NAMED = 0.3
const LONG_NAME = 30

function nameColumn(columns: readonly Column[]): Column | null {
  return best(columns, (column) => {
    const headed = nameWeight(column)
    const letters = share(column.cells, (cell) => (headed > 0 ? /\p{L}/u : /\p{L}{2}/u).test(cell))
    if (letters < 0.3) return 0
    const varied = new Set(column.cells).size / (column.cells.length * 2)
    const length = column.cells.reduce((sum, cell) => sum + cell.length, 0) / column.cells.length
    // Without headings a name is long, and has no day or time in it.
    const numbered = share(column.cells, (cell) => /\d{2}[-./:]\d{2}/.test(cell))
    const long = headed > 0 ? 0 : (Math.min(1, length / LONG_NAME) - numbered) * 0.75
    const weight = column.filled < LEAST_NAMED ? headed * column.filled : headed
    return Math.max(0.01, letters + varied + long + weight - (share(column.cells, isCode) > MOSTLY ? 2.5 : 0))
  })
}

/** A column of currencies: the one beside the amount where there are several. */
function currencyColumn(columns: readonly Column[], amount: Column): Column | null {
  return best(columns, (column) => {
    const isHeaded = is(HEADED.currency, column)
    if (!areCurrencies(column.cells) && !(isHeaded && column.cells.some((cell) => areCurrencies([cell])))) return 0
    if (is(HEADED.original, column) && !is(HEADED.original, amount)) return 0
    return (isHeaded ? 2 : 1) + Number(is(HEADED.booked, column)) - Math.abs(column.index - amount.index) / 100
  })
}

/** A column of what was charged beside the amount, and whether it is in the amount already: null where nothing tells. */
function feeColumn(
  columns: readonly Column[],
  { table, amounts, mark }: Parts,
): { column: Column; isIncluded: boolean | null } | null {
  if (is(HEADED.net, amounts.amount)) return null
  const column = columns.find((one) => is(HEADED.fee, one) && isAmounts(one))
  if (!column || !column.cells.some((cell) => /[1-9]/.test(cell))) return null
  const balance = balanceColumn(table)
  const isIncluded = balance
    ? feeIsIncluded(table.rows, {
        amount: amounts.amount.index,
        fee: column.index,
        balance: balance.index,
        mark: mark.mark,
      })
    : null
  return { column, isIncluded }
}

const BALANCE = /bal|saldo|solde|kontostand|bakiye|zustatek|egyenleg|sold|остаток|υπολοιπο|余额|残高|رصيد|잔액/
const balanceColumn = ({ columns }: Table): Column | undefined =>
  columns.find(({ heading }) => BALANCE.test(fold(heading)))

function stateColumn(columns: readonly Column[]): Column | null {
  return (
    columns.find((column) => {
      const states = column.cells.map(stateOf)
      if (is(HEADED.state, column)) return states.some((state) => state !== null)
      return states.includes('booked') && states.every((state) => state !== null)
    }) ?? null
  )
}

/** A column that says of each amount whether it came in or went out. */
function directionColumn(columns: readonly Column[]): Column | null {
  return best(columns, (column) => {
    const said = column.cells.map(directionOf)
    const known = share(said, (direction) => direction !== null)
    // One letter may be anything: without a heading, both directions have to be there.
    if (!is(HEADED.direction, column) && !(said.includes('in') && said.includes('out'))) return 0
    if (known < (is(HEADED.direction, column) ? MOSTLY : 0.99)) return 0
    return known + (is(HEADED.direction, column) ? 1 : 0)
  })
}

type Parts = { table: Table; day: Day; amounts: Amounts; name: Column; mark: MarkReading }

/** What a column of directions and the signs of the amounts say together. */
function sideOf(
  { table, amounts, name, mark }: Parts,
  direction: Column | null,
): { direction: number | null; spending: SpendingSign; isSure: boolean } {
  if (amounts.moneyIn) return { direction: null, spending: 'positive', isSure: true }
  if (amounts.isSigned) return { direction: null, spending: 'negative', isSure: true }
  const rows = table.rows.flatMap((row) => {
    if (isBalance(row[name.index] ?? '')) return []
    const found = amountCell(row[amounts.amount.index] ?? '')
    const cents = found && readCents(found.digits, mark.mark)
    if (!found || cents === null || cents === 0n || (found.currency ?? 'USD') !== 'USD') return []
    const said = direction ? directionOf(row[direction.index] ?? '') : null
    return [{ cents: found.isBelow ? -cents : cents, marked: found.direction, said, name: row[name.index] ?? '', row }]
  })
  const headedOut = is(HEADED.moneyOut, amounts.amount) && !is(HEADED.moneyIn, amounts.amount)
  const told = rows.filter(({ said }) => said !== null)
  // A card's charges above zero and its payments below it, each with its word.
  const agrees = (spending: SpendingSign) =>
    told.every(({ cents, said }) => cents < 0n === ((said === 'out') === (spending === 'negative')))
  if (direction && told.length > 0) {
    if (agrees('negative')) return { direction: null, spending: 'negative', isSure: true }
    if (agrees('positive') && rows.some(({ cents }) => cents < 0n))
      return { direction: null, spending: 'positive', isSure: true }
    return { direction: direction.index, spending: 'negative', isSure: true }
  }
  if (rows.length === 0) return { direction: null, spending: 'negative', isSure: true }
  const balance = balanceColumn(table)
  const sign = signOf(
    rows.filter(({ marked }) => marked === null),
    {
      headedOut,
      balances: balance ? rows.map(({ row }) => row[balance.index] ?? '') : null,
      mark: mark.mark,
      isMarked: rows.some(({ marked }) => marked !== null),
    },
  )
  return { direction: null, ...sign }
}

/**
 * Which column of a table is what, by its headings and by what is in it. What the file leaves open is a question; `mapping` has the likelier
 * reading of it.
 */
export function guessMapping(table: Table, about: About): Guess {
  const nothing: Guess = { mapping: null, questions: ['columns'] }
  const day = dayColumn(table, about)
  if (!day) return nothing
  const others = table.columns.filter((column) => column !== day.column && !isAlsoDay(column, about))
  const hasHeadings = table.columns.some(({ heading }) => heading !== '')
  const amounts = (hasHeadings ? null : (pairByBalance(table) ?? amountByBalance(table))) ?? amountColumns(others)
  if (!amounts) return nothing
  const rest = others.filter((column) => column !== amounts.amount && column !== amounts.moneyIn)
  const direction = directionColumn(rest)
  const name =
    nameColumn(rest.filter((column) => column !== direction && !areCurrencies(column.cells))) ?? nameColumn(rest)
  if (!name) return nothing
  const free = rest.filter((column) => column !== name && column !== direction)
  const usual = isEuropean(table) ? ',' : about.language === 'en' ? '.' : null
  const digits = [...amountsIn(amounts.amount), ...(amounts.moneyIn ? amountsIn(amounts.moneyIn) : [])].map(
    (one) => one.digits,
  )
  const mark = markReadingOf(digits, usual)
  const parts = { table, day, amounts, name, mark }
  const side = sideOf(parts, direction)
  const fee = feeColumn(free, parts)
  const currency = currencyIn(amounts.amount.heading) === 'USD' ? null : currencyColumn(free, amounts.amount)
  return {
    mapping: {
      date: day.column.index,
      name: name.index,
      amount: amounts.amount.index,
      moneyIn: amounts.moneyIn?.index ?? null,
      direction: side.direction,
      currency: currency?.index ?? null,
      fee: fee && fee.isIncluded !== true ? fee.column.index : null,
      state: stateColumn(free.filter((column) => column !== currency))?.index ?? null,
      dateFormat: day.reading.format,
      decimalMark: mark.mark,
      spending: side.spending,
    },
    questions: [
      ...(day.reading.isSure ? [] : (['dateFormat'] as const)),
      ...(mark.isSure ? [] : (['decimalMark'] as const)),
      ...(side.isSure ? [] : (['spending'] as const)),
      ...(fee && fee.isIncluded === null ? (['fee'] as const) : []),
    ],
  }
}

/** Another column of days, and none of amounts: '20260803' is a number too. */
function isAlsoDay(column: Column, { today, language }: About): boolean {
  if (!is(HEADED.date, column) && !is(HEADED.otherDate, column)) return false
  const reading = dayReadingOf(column.cells, { today, isAmerican: language === 'en', mayBeAmerican: true })
  return reading !== null && reading.share >= MOSTLY
}
