import { fold } from '#contract/folding.ts'
import { type DecimalMark, type SpendingSign } from '#contract/statement-formats.ts'
import { centsIn } from '#server/statements/imports/amounts.ts'
import { categoryOf } from '#server/statements/imports/categories.ts'
import { INCOMING_WORDS, OUTGOING_WORDS } from '#server/statements/imports/bank-vocabulary.ts'

type Row = { cents: bigint; name: string; row: readonly string[] }
type Beside = {
  /** Whether the heading of the amounts is 'Debit' or a similar word. */
  headedOut: boolean
  /** The running balance of each line, if the file has one. */
  balances: readonly string[] | null
  mark: DecimalMark
  /** Whether other amounts of the file have 'CR' or a similar word after them. */
  isMarked: boolean
}

/** Returns the direction that a payment's name suggests: money in, a purchase, or no direction. */
function expectedDirection({ name, row }: Row): 'in' | 'out' | null {
  const cells = row.map(fold)
  if (cells.some((cell) => INCOMING_WORDS.test(cell))) return 'in'
  if (cells.some((cell) => OUTGOING_WORDS.test(cell))) return 'out'
  const category = categoryOf({ name, amountMinor: -1 })
  return category !== 'other' && category !== 'transfer' ? 'out' : null
}

/**
 * Returns how consistently the balance rises with positive amounts: 1 if it always rises, -1 if it always falls, and 0 without
 * evidence. `rows`: consecutive lines.
 */
export function balanceRises(rows: readonly { cents: bigint; balance: string }[], mark: DecimalMark): number {
  const balanceCents = rows.map(({ balance }) => centsIn(balance, mark))
  const steps = rows.slice(1).map(({ cents }, index) => {
    const [before, after] = [balanceCents[index] ?? null, balanceCents[index + 1] ?? null]
    if (before === null || after === null) return 0
    // The oldest line may come first, or the newest.
    const previousCents = rows[index]?.cents ?? 0n
    const isRise = after - before === cents || before - after === previousCents
    const isFall = before - after === cents || after - before === previousCents
    return Number(isRise) - Number(isFall)
  })
  return steps.reduce<number>((sum, step) => sum + step, 0) / Math.max(1, steps.length)
}

type FeeColumns = { amount: number; fee: number; balance: number; mark: DecimalMark }

/** Returns whether the balances prove that amounts include their fees, or null if they prove nothing. */
export function feeIsIncluded(
  rows: readonly (readonly string[])[],
  { amount, fee, balance, mark }: FeeColumns,
): boolean | null {
  const rowCents = rows.map((row) => ({
    amount: centsIn(row[amount] ?? '', mark) ?? 0n,
    fee: centsIn(row[fee] ?? '', mark) ?? 0n,
    balance: centsIn(row[balance] ?? '', mark),
  }))
  const votes = rowCents.flatMap((row, index) => {
    const neighbours = [rowCents[index - 1], rowCents[index + 1]].flatMap((neighbour) => neighbour?.balance ?? [])
    if (row.fee === 0n || row.balance === null) return []
    const rowBalance = row.balance
    const isWithinAmount = neighbours.some((before) => rowBalance - before === row.amount)
    const isBesideAmount = neighbours.some(
      (before) => rowBalance - before === row.amount - (row.fee < 0n ? -row.fee : row.fee),
    )
    return isWithinAmount === isBesideAmount ? [] : [isWithinAmount]
  })
  const [first = null] = votes
  return votes.every((vote) => vote === first) ? first : null
}

/**
 * Returns whether spending is negative or positive in a column of amounts. The first of these that is usable decides: a heading
 * such as 'Debit', the running balance, words such as 'CR', the names, and the sign of most lines. The heading and the words
 * count only if no amount is negative. The names decide before the balance if at least two contradict it and none agrees with
 * it. A single refund proves little.
 */
export function signOf(rows: readonly Row[], beside: Beside): { spending: SpendingSign; isSure: boolean } {
  const negativeCount = rows.filter(({ cents }) => cents < 0n).length
  if (beside.headedOut && negativeCount === 0) return { spending: 'positive', isSure: true }
  const { balances, mark } = beside
  const withBalance = rows.map(({ cents }, index) => ({ cents, balance: balances?.[index] ?? '' }))
  const riseShare = balances ? balanceRises(withBalance, mark) : 0
  const minusVotes = rows.flatMap((row) => {
    const side = expectedDirection(row)
    return side === null ? [] : [row.cents < 0n === (side === 'out')]
  })
  const kinds = rows.filter(({ row }) => row.some((cell) => OUTGOING_WORDS.test(fold(cell)))).length
  const forMinus = minusVotes.filter(Boolean).length
  const forPlus = minusVotes.length - forMinus
  const signByNames = forPlus >= 2 && forMinus === 0 ? 'positive' : forMinus >= 2 && forPlus === 0 ? 'negative' : null
  if (Math.abs(riseShare) >= 0.5) {
    const byBalance = riseShare > 0 ? 'negative' : 'positive'
    // The balance of a card may be a debt, which rises with spending. In this case, names that contradict the balance are
    // right.
    if (signByNames === null || signByNames === byBalance) return { spending: byBalance, isSure: true }
    return { spending: signByNames, isSure: kinds > 1 }
  }
  // If some amounts have 'CR', the amounts without it are spending.
  if (beside.isMarked && negativeCount === 0) return { spending: 'positive', isSure: true }
  // A single contradicting name is probably a refund.
  if (forPlus >= 2 && forPlus > 2 * forMinus) return { spending: 'positive', isSure: true }
  if (forMinus > 0 && forMinus > 2 * forPlus) return { spending: 'negative', isSure: true }
  const isMinus = negativeCount > 0 && negativeCount * 2 >= rows.length
  return { spending: isMinus ? 'negative' : 'positive', isSure: isMinus }
}
