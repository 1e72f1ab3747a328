import type { Asset } from '#contract/money.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { countToDay, type DayCount, dayCount, type DayUse } from '#server/ledger/day-limit.ts'
import type { AccountId, BookedLeg, Detail, LedgerRefusal, Operation } from '#server/ledger/types.ts'

/**
 * An account's state under the lock, updated as operations are decided. Sums are bigints, because sums on the bank's own
 * accounts can exceed the safe integers of a number.
 */
export type AccountState = DayUse & {
  id: AccountId
  /** The customer's id; null for the bank's own accounts. */
  holderId: string | null
  /** The purpose of the account (accounts.ts, chart.ts). */
  code: string
  asset: Asset
  balanceMinor: bigint
  heldMinor: bigint
  /** The amount that will come in when open holds of other accounts are posted. */
  incomingMinor: bigint
  /** The holder's debt to the bank. This amount can only be spent to pay the debt. */
  owedMinor: bigint
  /** The lowest allowed value of the balance less the held amount. Null means that the account has no floor. */
  floorMinor: bigint | null
  version: number
  status: 'open' | 'frozen' | 'closed'
}

export type HoldState = { debit: AccountId; credit: AccountId; amountMinor: number; detail: Detail; open: boolean }

/** A movement of money that can be reversed. */
export type ReversibleMovement = Pick<BookedLeg, 'debit' | 'credit' | 'amountMinor' | 'detail'>

/** The highest allowed balance of a customer's account for each asset, in minor units. Incoming amounts count to it. */
export type Ceilings = Partial<Record<Asset, number>>

/** All state that decisions read and update. It contains no SQL, so that decisions can be tested alone. */
export type BatchState = {
  accounts: Map<AccountId, AccountState>
  holds: Map<string, HoldState>
  /**
   * The movements of each operation that may be reversed, by the operation's id. They include stored operations that this batch
   * reverses and operations decided in this batch.
   */
  reversible: Map<string, ReversibleMovement[]>
  reversed: Set<string>
  ceilings: Ceilings
}

export type PostingDecision = { legs: BookedLeg[]; refusal: null } | { legs: null; refusal: LedgerRefusal }

type Movement = {
  kind: BookedLeg['kind']
  debit: AccountId
  credit: AccountId
  amountMinor: number
  heldMinor: number
  holdId: string | null
  detail: Detail
  count: DayCount | null
  /**
   * Whether the movement belongs to a correction. A correction restores an earlier balance, so today's ceiling does not apply.
   */
  correction: boolean
  /** Whether the movement is allowed although the holder owes the bank (types.ts). */
  despiteDebt: boolean
}

/**
 * Decides one operation. Either books all its legs into `books` and returns them, or leaves `books` unchanged and returns the
 * reason. A trial leaves `books` unchanged in both cases. Legs are decided in order, each on top of the one before.
 */
export function decideOperation(books: BatchState, operation: Operation): PostingDecision {
  const movements = toMovements(books, operation)
  if (typeof movements === 'string') return { legs: null, refusal: movements }
  const undo: (() => void)[] = []
  const legs: BookedLeg[] = []
  for (const movement of movements) {
    const refusal = book(books, movement, legs, undo)
    if (refusal) {
      for (const back of undo.toReversed()) back()
      return { legs: null, refusal }
    }
  }
  if (operation.trial) {
    for (const back of undo.toReversed()) back()
    return { legs, refusal: null }
  }
  if (operation.reverses) books.reversed.add(operation.reverses)
  books.reversible.set(
    operation.id,
    legs.filter((leg) => leg.amountMinor > 0),
  )
  return { legs, refusal: null }
}

function toMovements(books: BatchState, operation: Operation): Movement[] | LedgerRefusal {
  if (operation.reverses) {
    const original = books.reversible.get(operation.reverses)
    if (!original || original.length === 0) return 'not_found'
    if (books.reversed.has(operation.reverses)) return 'already_reversed'
    return original.toReversed().map(({ debit, credit, amountMinor, detail }) => ({
      kind: 'transfer',
      debit: credit,
      credit: debit,
      amountMinor,
      heldMinor: 0,
      holdId: null,
      detail: swapped(detail),
      count: null,
      correction: true,
      despiteDebt: false,
    }))
  }
  const movements: Movement[] = []
  for (const leg of operation.legs) {
    if (leg.kind === 'transfer' || leg.kind === 'hold') {
      const { kind, debit, credit, detail = {}, dayLimit } = leg
      const [amountMinor, heldMinor] = kind === 'hold' ? [0, leg.amountMinor] : [leg.amountMinor, 0]
      const holdId = kind === 'hold' ? operation.id : null
      const count = dayCount(dayLimit, operation.bookedAt)
      const despiteDebt = leg.despiteDebt === true
      const moved = { kind, debit, credit, amountMinor, heldMinor, holdId, detail, count }
      movements.push({ ...moved, correction: false, despiteDebt })
    } else {
      const hold = books.holds.get(leg.holdId)
      if (!hold) return 'not_found'
      const { debit, credit } = hold
      const { kind, holdId, detail = hold.detail } = leg
      const amountMinor = leg.kind === 'post' ? (leg.amountMinor ?? hold.amountMinor) : 0
      const beyondMinor = leg.kind === 'post' ? (leg.beyondMinor ?? 0) : 0
      if (amountMinor > hold.amountMinor + beyondMinor) return 'hold_amount_exceeded'
      const heldMinor = -hold.amountMinor
      const moved = { kind, debit, credit, amountMinor, heldMinor, holdId, detail, count: null }
      movements.push({ ...moved, correction: false, despiteDebt: false })
    }
  }
  return movements
}

/** Swaps the names of the two sides for a reversal, which moves the money back. */
function swapped({ debitName, creditName, ...rest }: Detail): Detail {
  return {
    ...rest,
    ...(creditName === undefined ? {} : { debitName: creditName }),
    ...(debitName === undefined ? {} : { creditName: debitName }),
  }
}

function book(books: BatchState, movement: Movement, legs: BookedLeg[], undo: (() => void)[]): LedgerRefusal | null {
  const debit = books.accounts.get(movement.debit)
  const credit = books.accounts.get(movement.credit)
  const countedAccount = movement.count === null ? null : books.accounts.get(movement.count.accountId)
  if (!debit || !credit || countedAccount === undefined) return 'not_found'
  const { amountMinor, heldMinor, holdId, detail } = movement
  for (const account of countedAccount ? [debit, credit, countedAccount] : [debit, credit]) {
    const before = { ...account }
    undo.push(() => Object.assign(account, before))
  }
  if (movement.count && countedAccount && !countToDay(countedAccount, movement.count, amountMinor + heldMinor)) {
    return 'day_limit_reached'
  }
  if (countedAccount && countedAccount.asset !== debit.asset) return 'asset_mismatch'
  const refusal = check(books, movement, debit, credit)
  if (refusal) return refusal
  debit.balanceMinor -= BigInt(amountMinor)
  debit.heldMinor += BigInt(heldMinor)
  credit.balanceMinor += BigInt(amountMinor)
  credit.incomingMinor += BigInt(heldMinor)
  for (const side of [debit, credit]) if (side.code === 'owed') reserveOwed(books, side, undo)
  if (amountMinor > 0) {
    debit.version += 1
    credit.version += 1
  }
  if (holdId) trackHold(books, movement, holdId, undo)
  const hasMoved = amountMinor > 0
  legs.push({
    leg: legs.length,
    kind: movement.kind,
    asset: debit.asset,
    debit: debit.id,
    credit: credit.id,
    amountMinor,
    heldMinor,
    holdId,
    debitVersion: hasMoved ? debit.version : null,
    creditVersion: hasMoved ? credit.version : null,
    debitBalanceMinor: hasMoved ? debit.balanceMinor : null,
    creditBalanceMinor: hasMoved ? credit.balanceMinor : null,
    detail,
  })
  return null
}

/** Reserves the owed amount on the current account, as the database does when it moves the balance (0230_owed.sql). */
function reserveOwed({ accounts }: BatchState, owed: AccountState, undo: (() => void)[]): void {
  for (const account of accounts.values()) {
    if (account.code !== 'current' || account.holderId !== owed.holderId) continue
    const before = account.owedMinor
    undo.push(() => (account.owedMinor = before))
    account.owedMinor = -owed.balanceMinor
  }
}

function trackHold(books: BatchState, movement: Movement, holdId: string, undo: (() => void)[]): void {
  if (movement.kind === 'hold') {
    const { debit, credit, heldMinor, detail } = movement
    books.holds.set(holdId, { debit, credit, amountMinor: heldMinor, detail, open: true })
    undo.push(() => books.holds.delete(holdId))
  } else {
    const hold = books.holds.get(holdId)
    if (!hold) return
    hold.open = false
    undo.push(() => {
      hold.open = true
    })
  }
}

function check(books: BatchState, movement: Movement, debit: AccountState, credit: AccountState): LedgerRefusal | null {
  const { kind, amountMinor, heldMinor, holdId, despiteDebt } = movement
  if (debit.asset !== credit.asset) return 'asset_mismatch'
  if (kind === 'post' || kind === 'void') {
    if (holdId && !books.holds.get(holdId)?.open) return 'hold_not_open'
  }
  // A void gives back money that never moved, so the state of the accounts must not prevent it.
  if (kind === 'void') return null
  if (debit.status === 'closed' || credit.status === 'closed') return 'account_closed'
  // A hold that was made before the account was frozen can still be posted.
  if (debit.status === 'frozen' && kind !== 'post') return 'account_frozen'
  const balanceMinor = debit.balanceMinor - BigInt(amountMinor)
  const totalHeldMinor = debit.heldMinor + BigInt(heldMinor)
  // A hold that was made before the debt can still be posted.
  const reserved = amountMinor + heldMinor > 0 && credit.code !== 'owed' && !despiteDebt ? debit.owedMinor : 0n
  if (debit.floorMinor !== null && balanceMinor - totalHeldMinor - reserved < debit.floorMinor) {
    // Of the bank's own accounts, only those of the market maker have a floor.
    return debit.holderId === null ? 'market_limit_reached' : 'insufficient_funds'
  }
  // A customer cannot pay more into the debt account than the debt.
  if (credit.code === 'owed' && credit.balanceMinor + BigInt(amountMinor) > 0n) return 'balance_limit_reached'
  return fits(books, movement, credit) ? null : 'balance_limit_reached'
}

/** Whether the credited account may hold the balance after the movement. Only customers' accounts have a ceiling. */
function fits(
  books: BatchState,
  { kind, amountMinor, heldMinor, correction }: Movement,
  credit: AccountState,
): boolean {
  if (credit.holderId === null) return true
  // A hold already counted to the ceiling when it was made, so posting it does not check the ceiling again.
  const ceiling = correction || kind === 'post' ? MAX_AMOUNT_MINOR : (books.ceilings[credit.asset] ?? MAX_AMOUNT_MINOR)
  return credit.balanceMinor + credit.incomingMinor + BigInt(amountMinor + heldMinor) <= BigInt(ceiling)
}
