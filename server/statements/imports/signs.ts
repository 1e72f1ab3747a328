import { fold } from '#contract/folding.ts'
import { type DecimalMark, type SpendingSign } from '#contract/statement-formats.ts'
import { centsIn } from '#server/statements/imports/amounts.ts'
import { categoryOf } from '#server/statements/imports/categories.ts'
import { CAME_IN, WENT_OUT } from '#server/statements/imports/words.ts'

type Row = { cents: bigint; name: string; row: readonly string[] }
type Beside = {
  /** The amounts stand under 'Debit' or the like. */
  headedOut: boolean
  /** The running balance of each line, where the file has one. */
  balances: readonly string[] | null
  mark: DecimalMark
  /** Other amounts of the file have 'CR' or the like behind them. */
  isMarked: boolean
}

/** What a name says of its payment: money that came in, something bought, or nothing. */
function expected({ name, row }: Row): 'in' | 'out' | null {
  const cells = row.map(fold)
  if (cells.some((cell) => CAME_IN.test(cell))) return 'in'
  if (cells.some((cell) => WENT_OUT.test(cell))) return 'out'
  const category = categoryOf({ name, amountMinor: -1 })
  return category !== 'other' && category !== 'transfer' ? 'out' : null
}

/**
 * By how much the balance rises with the amounts, rather than falls: from -1 to 1, 0 where nothing can be told. `rows`: of lines
 * that follow one another.
 */
export function balanceRises(rows: readonly { cents: bigint; balance: string }[], mark: DecimalMark): number {
  const read = rows.map(({ balance }) => centsIn(balance, mark))
  const steps = rows.slice(1).map(({ cents }, index) => {
    const [before, after] = [read[index] ?? null, read[index + 1] ?? null]
    if (before === null || after === null) return 0
    // With the oldest line first, or with the newest.
    const older = rows[index]?.cents ?? 0n
    const rises = after - before === cents || before - after === older
    const falls = before - after === cents || after - before === older
    return Number(rises) - Number(falls)
  })
  return steps.reduce<number>((sum, step) => sum + step, 0) / Math.max(1, steps.length)
}

type FeeColumns = { amount: number; fee: number; balance: number; mark: DecimalMark }

/** Whether amounts have their fees in them already, as the balances say; null where they do not. */
export function feeIsIncluded(
  rows: readonly (readonly string[])[],
  { amount, fee, balance, mark }: FeeColumns,
): boolean | null {
  const read = rows.map((row) => ({
    amount: centsIn(row[amount] ?? '', mark) ?? 0n,
    fee: centsIn(row[fee] ?? '', mark) ?? 0n,
    balance: centsIn(row[balance] ?? '', mark),
  }))
  const said = read.flatMap((row, index) => {
    const neighbours = [read[index - 1], read[index + 1]].flatMap((one) => one?.balance ?? [])
    if (row.fee === 0n || row.balance === null) return []
    const own = row.balance
    const within = neighbours.some((before) => own - before === row.amount)
    const beside = neighbours.some((before) => own - before === row.amount - (row.fee < 0n ? -row.fee : row.fee))
    return within === beside ? [] : [within]
  })
  const [first = null] = said
  return said.every((one) => one === first) ? first : null
}

/**
 * Whether spending has a minus in a column of amounts. One refund says little: the balance tells most, then what the names are known
 * for, then which sign most lines have.
 */
export function signOf(rows: readonly Row[], beside: Beside): { spending: SpendingSign; isSure: boolean } {
  const below = rows.filter(({ cents }) => cents < 0n).length
  if (beside.headedOut && below === 0) return { spending: 'positive', isSure: true }
  const { balances, mark } = beside
  const withBalance = rows.map(({ cents }, index) => ({ cents, balance: balances?.[index] ?? '' }))
  const rises = balances ? balanceRises(withBalance, mark) : 0
  const known = rows.flatMap((row) => {
    const side = expected(row)
    return side === null ? [] : [row.cents < 0n === (side === 'out')]
  })
  const kinds = rows.filter(({ row }) => row.some((cell) => WENT_OUT.test(fold(cell)))).length
  const forMinus = known.filter(Boolean).length
  const forPlus = known.length - forMinus
  const told = forPlus >= 2 && forMinus === 0 ? 'positive' : forMinus >= 2 && forPlus === 0 ? 'negative' : null
  if (Math.abs(rises) >= 0.5) {
    const byBalance = rises > 0 ? 'negative' : 'positive'
    // The balance of a card may be what is owed, which rises with what is spent.
    if (told === null || told === byBalance) return { spending: byBalance, isSure: true }
    return { spending: told, isSure: kinds > 1 }
  }
  // Beside 'CR', what is not marked was spent.
  if (beside.isMarked && below === 0) return { spending: 'positive', isSure: true }
  // One name that says otherwise is one refund.
  if (forPlus >= 2 && forPlus > 2 * forMinus) return { spending: 'positive', isSure: true }
  if (forMinus > 0 && forMinus > 2 * forPlus) return { spending: 'negative', isSure: true }
  const isMinus = below > 0 && below * 2 >= rows.length
  return { spending: isMinus ? 'negative' : 'positive', isSure: isMinus }
}
