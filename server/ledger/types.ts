import type { Asset } from '#contract/money.ts'
import type { Category } from '#contract/accounts.ts'
import type { Run } from '#server/platform/db/run.ts'

/** A ledger account's number. The bank's own accounts have fixed numbers below 1000 (chart.ts). */
export type AccountId = number

/**
 * What an operation tells the people on both sides of it. The ledger stores it and never reads it, but for
 * finding entries. `debitName` is what the holder of the debit account reads in their list; `creditName`
 * likewise. A missing name means that side has no reader.
 */
export type Detail = {
  debitName?: string
  creditName?: string
  category?: Category
  /** How it was paid, in words: 'Debit card •••• 4821', 'Bank transfer'. */
  method?: string
  note?: string
  /** When a pending operation is expected to settle, business time. */
  settlesAt?: Date
}

/** One step of an operation. Amounts are minor units of the accounts' asset, above zero. */
export type Leg =
  | { kind: 'transfer'; debit: AccountId; credit: AccountId; amountMinor: number }
  /**
   * Sets `amountMinor` of the debit account aside. Its operation's id names it from then on, so an operation makes
   * one hold at most. `expiresAt` is for the job that voids it.
   */
  | { kind: 'hold'; debit: AccountId; credit: AccountId; amountMinor: number; expiresAt?: Date }
  /** Books a hold, whole unless `amountMinor` says a part; what is left of it is released. A hold is posted or voided once. */
  | { kind: 'post'; holdId: string; amountMinor?: number }
  /** Releases a hold whole. */
  | { kind: 'void'; holdId: string }

export type Operation = {
  /** A UUID made by the client; applied at most once, for ever. */
  id: string
  /** What was asked, in the bank's words: 'payment.send', 'top_up.card'. */
  kind: string
  /** A digest of the request. The same id with another fingerprint is refused. */
  fingerprint: string
  /** Business time. */
  bookedAt: Date
  detail: Detail
  legs: Leg[]
  /** The operation this one undoes: its transfers are booked the other way round, and `legs` stays empty. */
  reverses?: string
}

/** Why the ledger refuses an operation. All are codes of the catalogue. */
export type LedgerRefusal =
  | 'insufficient_funds'
  | 'amount_too_large'
  | 'account_frozen'
  | 'account_closed'
  | 'asset_mismatch'
  | 'hold_not_open'
  | 'hold_amount_exceeded'
  | 'already_reversed'
  | 'idempotency_key_reused'
  | 'not_found'

/** One booked leg, as stored. */
export type BookedLeg = {
  leg: number
  kind: Leg['kind']
  asset: Asset
  debit: AccountId
  credit: AccountId
  /** What moved; 0 for a hold or a void. */
  amountMinor: number
  /** What was set aside (above zero) or released (below zero) on the debit account. */
  heldMinor: number
  holdId: string | null
  /** The entries' versions and the balances after them; null where nothing moved. */
  debitVersion: number | null
  creditVersion: number | null
  debitBalanceMinor: number | null
  creditBalanceMinor: number | null
}

export type Booked = {
  id: string
  kind: string
  bookedAt: Date
  detail: Detail
  legs: BookedLeg[]
  /** True when this very operation had been applied before and this is its first answer again. */
  replayed: boolean
}

export type Outcome = { ok: true; booked: Booked } | { ok: false; refusal: LedgerRefusal; replayed: boolean }

export type Ledger = {
  /**
   * Applies one operation, durably, sharing its commit with whoever else is posting.
   * Throws Refusal with a LedgerRefusal code; a refusal is remembered too, so the same id is refused the same way again.
   */
  post(operation: Operation): Promise<Booked>
  /** The same for many, decided in the order given within one commit; one refusal spoils no other. */
  postAll(operations: Operation[]): Promise<Outcome[]>
  /**
   * The same inside the caller's own SQL transaction, for a service that changes its rows with the money.
   * Throws Refusal on the first refused operation: the caller lets it roll the transaction back.
   */
  postWithin(run: Run, operations: Operation[]): Promise<Booked[]>
  /** An operation as it was answered, or null. A remembered refusal is thrown again as a Refusal. */
  find(operationId: string, fingerprint: string): Promise<Booked | null>
  /**
   * Remembers that an operation was refused, where a service rolled its own transaction back for it: the same id is
   * then refused the same way again. What is known of the id already stays.
   */
  remember(refused: Pick<Operation, 'id' | 'kind' | 'fingerprint' | 'bookedAt'>, refusal: LedgerRefusal): Promise<void>
  /** Waits for what is queued and closes the ledger's connections. */
  close(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    ledger: Ledger
  }
}
