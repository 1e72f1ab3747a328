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
  centsOfDigits,
  markReadingOf,
  readCents,
  type MarkReading,
} from '#server/statements/imports/amounts.ts'
import { areCurrencies, currencyIn } from '#server/statements/imports/currencies.ts'
import { dayReadingOf, type DayReading } from '#server/statements/imports/read-day.ts'
import { balanceRises, feeIsIncluded, signOf } from '#server/statements/imports/signs.ts'
import type { Column, Table } from '#server/statements/imports/table.ts'
import { entryDirectionOf, HEADINGS, isBalance, entryStateOf } from '#server/statements/imports/bank-vocabulary.ts'

/** The least share of a column's cells that must have a kind, so that the column has this kind. */
const MOSTLY = 0.6

/**
 * Information about the customer that helps to guess. `language`: the customer's language. It decides if the file gives no
 * other evidence.
 */
export type GuessHints = { today: string; language: string }

/** The bank's reading of a table. `questions`: the points that the file leaves open. */
export type MappingGuess = { mapping: ColumnMapping | null; questions: ImportQuestion[] }

const share = <T>(cells: readonly T[], fits: (cell: T) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(fits).length / cells.length

type Scored = { column: Column; score: number }

/** Returns the column with the highest score. Among equal scores the first column wins. Returns null if all scores are zero. */
function findBestColumn(columns: readonly Column[], score: (column: Column) => number): Column | null {
  const scored: Scored[] = columns
    .map((column) => ({ column, score: score(column) }))
    .filter((scoredColumn) => scoredColumn.score > 0)
  return scored.toSorted((a, b) => b.score - a.score || a.column.index - b.column.index)[0]?.column ?? null
}

const matches = (pattern: RegExp, { heading }: Column): boolean => pattern.test(fold(heading))

/**
 * Returns whether a file is probably European: its headings are in a language other than English, Chinese or Japanese, or it
 * has semicolons between cells and decimal commas, or its days have points.
 */
function isEuropean({ delimiter, columns, language }: Table): boolean {
  if (language !== null && !['en', 'zh', 'ja'].includes(language)) return true
  const hasCommas = columns.some(({ cells }) => share(cells, (cell) => /\d,\d{2}$/.test(cell)) > MOSTLY)
  if (delimiter === ';' && hasCommas) return true
  return columns.some(({ cells }) => share(cells, (cell) => /^\d{1,2}\.\d{1,2}\.\d{2,4}\b/.test(cell)) > MOSTLY)
}

/** The share of lines that must have a day, for a column to be the column of days. */
const MIN_FILLED = 0.4

type Day = { column: Column; reading: DayReading }

/**
 * The formats in which a day is a plain number. A column of such numbers contains days only if its heading is a word for days.
 */
const NUMBERED: ReadonlySet<DateFormat> = new Set(['excel', 'unix'])

function dayColumn(table: Table, { today, language }: GuessHints): Day | null {
  const hints = { today, isAmerican: language === 'en', mayBeAmerican: !isEuropean(table) }
  // Cells without digits are left out: a column of days may contain 'Open' or a footer.
  const readings = new Map(
    table.columns.map((column) => {
      const numbered = column.cells.filter((cell) => /\p{N}/u.test(cell))
      const reading = numbered.length * 2 < column.cells.length ? null : dayReadingOf(numbered, hints)
      return [column, column.filled < MIN_FILLED ? null : reading] as const
    }),
  )
  const column = findBestColumn(table.columns, (candidate) => {
    const reading = readings.get(candidate)
    if (!reading || reading.share < MOSTLY) return 0
    const isHeaded = matches(HEADINGS.date, candidate)
    if (NUMBERED.has(reading.format) && !isHeaded) return 0
    if (matches(HEADINGS.otherDate, candidate)) return reading.share + 0.5
    return reading.share + (matches(HEADINGS.bookedDate, candidate) ? 1.2 : isHeaded ? 1 : 0)
  })
  const reading = column && readings.get(column)
  return column && reading ? { column, reading } : null
}

const amountsIn = ({ cells }: Column): AmountCell[] => cells.flatMap((cell) => amountCell(cell) ?? [])
const isAmount = (cell: string): boolean => {
  const amount = amountCell(cell)
  return amount !== null && (centsOfDigits(amount.digits, '.') ?? centsOfDigits(amount.digits, ',')) !== null
}
/** Returns whether a column contains amounts. A dash stands for an empty amount. */
const isAmounts = ({ cells }: Column): boolean =>
  share(
    cells.filter((cell) => !/^[-–—]+$/.test(cell)),
    isAmount,
  ) >= MOSTLY
/**
 * Returns whether a column with a heading for amounts contains at least one amount, or is empty. One is enough, because a
 * footer may put words into the column.
 */
const hasAmounts = ({ cells }: Column): boolean => cells.length === 0 || cells.some(isAmount)

function amountScore(column: Column): number {
  if (matches(HEADINGS.direction, column) && !matches(HEADINGS.amount, column)) return 0
  // An account number, a balance or a fee counts as the amount only if the table has no other column for it.
  const isOther = matches(HEADINGS.notAmount, column) || matches(HEADINGS.fee, column)
  if (isOther && !matches(HEADINGS.amount, column)) return 0.01
  const hasCents = share(column.cells, (cell) => /[.,]\d{2}\D*$/.test(cell))
  const currency = currencyIn(column.heading)
  return (
    0.1 +
    hasCents +
    (matches(HEADINGS.amount, column) ? 2 : 0) +
    (matches(HEADINGS.moneyOut, column) ? 1 : 0) +
    (matches(HEADINGS.net, column) ? 0.5 : 0) +
    (matches(HEADINGS.booked, column) ? 0.5 : 0) +
    (currency === 'USD' ? 0.5 : currency === null ? 0 : -0.3) -
    (matches(HEADINGS.original, column) ? 1.5 : 0)
  )
}

/**
 * The columns of the amounts. `moneyIn`: the second column if money out and money in have separate columns; null otherwise.
 * `isSigned`: the balances prove that spending is negative.
 */
type Amounts = { amount: Column; moneyIn: Column | null; isSigned?: true }

/** Returns whether a heading has a word for a direction. The word 'in' of 'Amount in USD' is not one. */
const mentions = (pattern: RegExp, { heading }: Column): boolean =>
  pattern.test(fold(heading).replaceAll(/(?<!\p{L})(?:in|no) (?=\S)/gu, ''))

/** Returns the column of amounts, or the two columns for money out and money in. */
function amountColumns(columns: readonly Column[]): Amounts | null {
  const hasHeading = (pattern: RegExp, other: RegExp) =>
    columns.filter(
      (column) =>
        mentions(pattern, column) &&
        !mentions(other, column) &&
        !matches(HEADINGS.notAmount, column) &&
        hasAmounts(column),
    )
  // Among several pairs, the pair with the account's own amounts wins over the pair with the original amounts.
  const weight = (column: Column) =>
    Number(column.filled > 0) + Number(matches(HEADINGS.booked, column)) - Number(matches(HEADINGS.original, column))
  const filledFirst = (a: Column, b: Column) => weight(b) - weight(a)
  const outColumns = hasHeading(HEADINGS.moneyOut, HEADINGS.moneyIn).toSorted(filledFirst)
  const [inColumn] = hasHeading(HEADINGS.moneyIn, HEADINGS.moneyOut).toSorted(filledFirst)
  const outColumn = outColumns.find((column) => column !== inColumn && !matches(HEADINGS.fee, column)) ?? outColumns[0]
  if (outColumn && inColumn && [outColumn, inColumn].some(({ cells }) => cells.length > 0))
    return { amount: outColumn, moneyIn: inColumn }
  const pair = pairBySigns(columns)
  if (pair) return pair
  const amount = findBestColumn(columns.filter(isAmounts), amountScore)
  return amount && { amount, moneyIn: null }
}

/**
 * Finds two columns of amounts by their signs. Each line has its amount in exactly one of them. The column with only negative
 * amounts is money out.
 */
function pairBySigns(columns: readonly Column[]): Amounts | null {
  const partlyFilled = columns.filter(
    (column) => column.filled < 1 && isAmounts(column) && !matches(HEADINGS.notAmount, column),
  )
  const [firstColumn, secondColumn, ...more] = partlyFilled
  if (!firstColumn || !secondColumn || more.length > 0 || Math.abs(firstColumn.filled + secondColumn.filled - 1) > 0.01)
    return null
  const shareBelow = (column: Column) => share(amountsIn(column), ({ isBelow }) => isBelow)
  if (shareBelow(firstColumn) === 1 && shareBelow(secondColumn) === 0)
    return { amount: firstColumn, moneyIn: secondColumn }
  return shareBelow(secondColumn) === 1 && shareBelow(firstColumn) === 0
    ? { amount: secondColumn, moneyIn: firstColumn }
    : null
}

/**
 * The largest number of lines and of columns in the search for an amount by its balance. The search compares every column with
 * every other column.
 */
const COMPARED_LINES = 200
const COMPARED_COLUMNS = 12

/** Returns the amounts of a column, in cents, from the lines that have one. */
const centsOfColumn = (rows: Table['rows'], column: number, mark: DecimalMark): bigint[] =>
  rows.flatMap((row) => centsIn(row[column] ?? '', mark) ?? [])

/**
 * Finds a column of amounts and a column of balances in a table without headings. Each balance must be the previous balance
 * plus the amount.
 */
function amountByBalance({ rows: allRows, columns }: Table): Amounts | null {
  const rows = allRows.slice(0, COMPARED_LINES)
  const amounts = columns.filter((column) => column.filled > 0.9 && isAmounts(column)).slice(0, COMPARED_COLUMNS)
  const columnAmounts = amounts.map((column) => ({ column, cents: centsOfColumn(rows, column.index, '.') }))
  const [firstAmount, ...more] = columnAmounts.flatMap((amount) =>
    amount.cents.some((cents) => cents < 0n) &&
    columnAmounts.some((balance) => balance !== amount && addUp(amount.cents, balance.cents))
      ? [amount.column]
      : [],
  )
  return firstAmount && more.length === 0 ? { amount: firstAmount, moneyIn: null, isSigned: true } : null
}

/**
 * Returns whether the first line of a table without headings is a summary. It is one if the balances add up only without this
 * line, or if the line has an account number in the column of names.
 */
export function hasSummaryLine({ rows, columns }: Table, mapping: ColumnMapping): boolean {
  const [first, ...otherRows] = rows.slice(0, COMPARED_LINES)
  if (!first || columns.some(({ heading }) => heading !== '')) return false
  if (ACCOUNT.test(first[mapping.name] ?? '')) return true
  const readColumn = (column: number, lines: Table['rows']) => centsOfColumn(lines, column, mapping.decimalMark)
  const [amounts, allAmounts] = [
    readColumn(mapping.amount, otherRows),
    readColumn(mapping.amount, [first, ...otherRows]),
  ]
  return columns
    .slice(0, COMPARED_COLUMNS)
    .some(
      ({ index }) =>
        index !== mapping.amount &&
        addUp(amounts, readColumn(index, otherRows)) &&
        !addUp(allAmounts, readColumn(index, [first, ...otherRows])),
    )
}

/** A cell that contains only an account number, in the column of names. */
const ACCOUNT = /^'?(?:[A-Z]{2})?[\d ]{16,40}$/

/**
 * Returns whether consecutive balances differ by the amounts. A balance may be from before or after its amount, and the oldest
 * or the newest line may come first.
 */
function addUp(amounts: readonly bigint[], balances: readonly bigint[]): boolean {
  if (amounts.length < 3 || amounts.length !== balances.length) return false
  const differences = balances.slice(1).map((balance, index) => balance - (balances[index] ?? 0n))
  return [
    differences.every((rise, index) => rise === amounts[index + 1]),
    differences.every((rise, index) => rise === amounts[index]),
    differences.every((rise, index) => -rise === amounts[index]),
    differences.every((rise, index) => -rise === amounts[index + 1]),
  ].some(Boolean)
}

/**
 * Finds two columns of amounts without headings, where each line has its amount in one of them. A column of balances proves
 * which one is money in. Returns null if there are no such columns or no proof.
 */
function pairByBalance({ rows, columns }: Table): Amounts | null {
  const amounts = columns.filter(isAmounts)
  const balance = amounts.findLast(({ filled }) => filled === 1)
  const [firstColumn, secondColumn, ...more] = amounts.filter((column) => column !== balance && column.filled < 1)
  if (!balance || !firstColumn || !secondColumn || more.length > 0) return null
  const isFilled = (row: readonly string[], { index }: Column) => (row[index] ?? '') !== ''
  if (rows.some((row) => row.length > 0 && isFilled(row, firstColumn) === isFilled(row, secondColumn))) return null
  const lines = rows.flatMap((row) => {
    const isOne = isFilled(row, firstColumn)
    const amount = amountCell(row[isOne ? firstColumn.index : secondColumn.index] ?? '')
    const cents = amount && readCents(amount.digits, '.')
    return cents === null ? [] : [{ cents: isOne ? -cents : cents, balance: row[balance.index] ?? '' }]
  })
  const riseShare = balanceRises(lines, '.')
  if (Math.abs(riseShare) < 0.5) return null
  return riseShare > 0 ? { amount: firstColumn, moneyIn: secondColumn } : { amount: secondColumn, moneyIn: firstColumn }
}

/**
 * Returns whether a cell is a code and not a name. An account number may contain letters. Words for kinds of payments count as
 * codes.
 */
const isCode = (cell: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d ]{4,}$/.test(cell) || /^[\w-]*\d[\w-]*$/.test(cell) || entryDirectionOf(cell) !== null

/** Returns how strongly a heading suggests that its column has the names of payees. */
function nameWeight(column: Column): number {
  if (matches(HEADINGS.ownName, column) || matches(HEADINGS.identifier, column)) return -1
  // A column with the same text on all lines contains the customer's own name, or no information.
  const isOne = column.cells.length > 2 && new Set(column.cells).size === 1
  if (isOne) return 0
  if (matches(HEADINGS.payee, column)) return 2.4
  if (matches(HEADINGS.name, column)) return 2
  return matches(HEADINGS.note, column) ? 1 : 0
}

/**
 * The least share of filled cells in a good column of names. In a column with fewer names, other columns probably have the
 * names.
 */
const MIN_NAMED = 0.3
const LONG_NAME = 30

function nameColumn(columns: readonly Column[]): Column | null {
  return findBestColumn(columns, (column) => {
    const headingWeight = nameWeight(column)
    const letters = share(column.cells, (cell) => (headingWeight > 0 ? /\p{L}/u : /\p{L}{2}/u).test(cell))
    if (letters < 0.3) return 0
    const variety = new Set(column.cells).size / (column.cells.length * 2)
    const length = column.cells.reduce((sum, cell) => sum + cell.length, 0) / column.cells.length
    // In a column without a heading, names are long and contain no day or time.
    const numbered = share(column.cells, (cell) => /\d{2}[-./:]\d{2}/.test(cell))
    const lengthScore = headingWeight > 0 ? 0 : (Math.min(1, length / LONG_NAME) - numbered) * 0.75
    const weight = column.filled < MIN_NAMED ? headingWeight * column.filled : headingWeight
    return Math.max(0.01, letters + variety + lengthScore + weight - (share(column.cells, isCode) > MOSTLY ? 2.5 : 0))
  })
}

/** Returns the column of currencies; among several, the one beside the amount. */
function currencyColumn(columns: readonly Column[], amount: Column): Column | null {
  return findBestColumn(columns, (column) => {
    const isHeaded = matches(HEADINGS.currency, column)
    if (!areCurrencies(column.cells) && !(isHeaded && column.cells.some((cell) => areCurrencies([cell])))) return 0
    if (matches(HEADINGS.original, column) && !matches(HEADINGS.original, amount)) return 0
    return (isHeaded ? 2 : 1) + Number(matches(HEADINGS.booked, column)) - Math.abs(column.index - amount.index) / 100
  })
}

/** Returns the column of fees. `isIncluded`: whether the amounts already include the fees; null if nothing proves it. */
function feeColumn(
  columns: readonly Column[],
  { table, amounts, mark }: Parts,
): { column: Column; isIncluded: boolean | null } | null {
  if (matches(HEADINGS.net, amounts.amount)) return null
  const column = columns.find((candidate) => matches(HEADINGS.fee, candidate) && isAmounts(candidate))
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
      const states = column.cells.map(entryStateOf)
      if (matches(HEADINGS.state, column)) return states.some((state) => state !== null)
      return states.includes('booked') && states.every((state) => state !== null)
    }) ?? null
  )
}

/** Returns the column that gives the direction of each amount, in or out. */
function directionColumn(columns: readonly Column[]): Column | null {
  return findBestColumn(columns, (column) => {
    const directions = column.cells.map(entryDirectionOf)
    const directedShare = share(directions, (direction) => direction !== null)
    // A single letter may mean anything, so a column without a heading for directions must contain both directions.
    if (!matches(HEADINGS.direction, column) && !(directions.includes('in') && directions.includes('out'))) return 0
    if (directedShare < (matches(HEADINGS.direction, column) ? MOSTLY : 0.99)) return 0
    return directedShare + (matches(HEADINGS.direction, column) ? 1 : 0)
  })
}

type Parts = { table: Table; day: Day; amounts: Amounts; name: Column; mark: MarkReading }

/** Decides how a file marks spending: by a column of directions, by the signs of the amounts, or by both. */
function sideOf(
  { table, amounts, name, mark }: Parts,
  direction: Column | null,
): { direction: number | null; spending: SpendingSign; isSure: boolean } {
  if (amounts.moneyIn) return { direction: null, spending: 'positive', isSure: true }
  if (amounts.isSigned) return { direction: null, spending: 'negative', isSure: true }
  const rows = table.rows.flatMap((row) => {
    if (isBalance(row[name.index] ?? '')) return []
    const amount = amountCell(row[amounts.amount.index] ?? '')
    const cents = amount && readCents(amount.digits, mark.mark)
    if (!amount || cents === null || cents === 0n || (amount.currency ?? 'USD') !== 'USD') return []
    const entryDirection = direction ? entryDirectionOf(row[direction.index] ?? '') : null
    return [
      {
        cents: amount.isBelow ? -cents : cents,
        marked: amount.direction,
        said: entryDirection,
        name: row[name.index] ?? '',
        row,
      },
    ]
  })
  const headedOut = matches(HEADINGS.moneyOut, amounts.amount) && !matches(HEADINGS.moneyIn, amounts.amount)
  const withDirection = rows.filter(({ said }) => said !== null)
  // The statement of a card may have positive amounts for charges and negative amounts for payments, in addition to the words.
  const agrees = (spending: SpendingSign) =>
    withDirection.every(({ cents, said }) => cents < 0n === ((said === 'out') === (spending === 'negative')))
  if (direction && withDirection.length > 0) {
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
 * Guesses the meaning of each column of a table from its headings and its cells. `questions` contains each point that the file
 * leaves open. For such a point, `mapping` contains the more likely answer.
 */
export function guessMapping(table: Table, about: GuessHints): MappingGuess {
  const noGuess: MappingGuess = { mapping: null, questions: ['columns'] }
  const day = dayColumn(table, about)
  if (!day) return noGuess
  const otherColumns = table.columns.filter((column) => column !== day.column && !isAlsoDay(column, about))
  const hasHeadings = table.columns.some(({ heading }) => heading !== '')
  const amounts = (hasHeadings ? null : (pairByBalance(table) ?? amountByBalance(table))) ?? amountColumns(otherColumns)
  if (!amounts) return noGuess
  const remainingColumns = otherColumns.filter((column) => column !== amounts.amount && column !== amounts.moneyIn)
  const direction = directionColumn(remainingColumns)
  const name =
    nameColumn(remainingColumns.filter((column) => column !== direction && !areCurrencies(column.cells))) ??
    nameColumn(remainingColumns)
  if (!name) return noGuess
  const freeColumns = remainingColumns.filter((column) => column !== name && column !== direction)
  const usualMark = isEuropean(table) ? ',' : about.language === 'en' ? '.' : null
  const digits = [...amountsIn(amounts.amount), ...(amounts.moneyIn ? amountsIn(amounts.moneyIn) : [])].map(
    (amount) => amount.digits,
  )
  const mark = markReadingOf(digits, usualMark)
  const parts = { table, day, amounts, name, mark }
  const side = sideOf(parts, direction)
  const fee = feeColumn(freeColumns, parts)
  const currency = currencyIn(amounts.amount.heading) === 'USD' ? null : currencyColumn(freeColumns, amounts.amount)
  return {
    mapping: {
      date: day.column.index,
      name: name.index,
      amount: amounts.amount.index,
      moneyIn: amounts.moneyIn?.index ?? null,
      direction: side.direction,
      currency: currency?.index ?? null,
      fee: fee && fee.isIncluded !== true ? fee.column.index : null,
      state: stateColumn(freeColumns.filter((column) => column !== currency))?.index ?? null,
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

/**
 * Returns whether a column is a further column of days, which is never a column of amounts: '20260803' looks like a number too.
 */
function isAlsoDay(column: Column, { today, language }: GuessHints): boolean {
  if (!matches(HEADINGS.date, column) && !matches(HEADINGS.otherDate, column)) return false
  const reading = dayReadingOf(column.cells, { today, isAmerican: language === 'en', mayBeAmerican: true })
  return reading !== null && reading.share >= MOSTLY
}
