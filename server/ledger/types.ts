import type { Transaction } from 'kysely'
import type { Asset } from '#contract/money.ts'
import type { Category } from '#contract/categories.ts'
import type { Label, Method, Params } from '#contract/wording.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'

/** A ledger account's number. The bank's own accounts have fixed numbers below 1000 (chart.ts). */
export type AccountId = number

/**
 * What a leg tells the people on both sides of it, as codes with parameters (contract/wording.ts); only names and notes
 * are text. `debitName` is whom the holder of the debit account reads in their list; `creditName` likewise. A side
 * without a name reads the label.
 */
export type Detail = {
  debitName?: string
  creditName?: string
  label?: Label
  category?: Category
  /** How it was paid. */
  method?: Method
  /** What the label and the method leave open: `{ lastFour: '4821' }`. */
  params?: Params
  note?: string
  /** When a pending leg is expected to settle, business time. */
  settlesAt?: Date
}

/**
 * What a leg counts to: how much the holder of an account moves in or out on the operation's day, at most
 * `mostMinor`. Each customer has one account on which that is counted, whichever of theirs the money moves on.
 */
export type DayLimit = { accountId: AccountId; direction: 'in' | 'out'; mostMinor: number }

/** One step of an operation. Amounts are minor units of the accounts' asset, above zero. */
export type Leg =
  | {
      kind: 'transfer'
      debit: AccountId
      credit: AccountId
      amountMinor: number
      detail?: Detail
      dayLimit?: DayLimit
      /** It was set aside already, or comes out of what this operation brings: what is owed does not stand in its way. */
      despiteDebt?: true
    }
  /**
   * Sets `amountMinor` of the debit account aside. Its operation's id names it from then on, so an operation makes
   * one hold at most. `expiresAt` is for the job that voids it.
   */
  | {
      kind: 'hold'
      debit: AccountId
      credit: AccountId
      amountMinor: number
      detail?: Detail
      dayLimit?: DayLimit
      expiresAt?: Date
      /** It was set aside already, by a hold that this operation ends: what is owed does not stand in its way. */
      despiteDebt?: true
    }
  /**
   * Books a hold, whole unless `amountMinor` says a part; what is left of it is released. A hold is posted or voided
   * once. It reads as the hold did unless `detail` says otherwise. It may be up to `beyondMinor` more than was held,
   * none unless told, if the account has it.
   */
  | { kind: 'post'; holdId: string; amountMinor?: number; beyondMinor?: number; detail?: Detail }
  /** Releases a hold whole. */
  | { kind: 'void'; holdId: string; detail?: Detail }

/** What the id of an operation of the bank's own follows from: the slice's name, another id, and what it is for. */
export type DerivedFrom = { slice: string; causeId: string; purpose: string }

export type Operation = {
  /** A UUID made by the client, of any version but 8; applied at most once, for ever. */
  id: string
  /** What an id of version 8 was derived from (derived-id.ts): nobody else has such an id. */
  derivedFrom?: DerivedFrom
  /** What was asked, in the bank's words: 'payment.send', 'top_up.card'. */
  kind: string
  /** A digest of the request. The same id with another fingerprint is refused. */
  fingerprint: string
  /** Business time. */
  bookedAt: Date
  legs: Leg[]
  /**
   * The operation this one undoes: its transfers are booked the other way round, each reading as it did, and `legs`
   * stays empty.
   */
  reverses?: string
  /** It is decided and, where it would be booked, left at that (`Ledger.tryOut`). */
  trial?: true
}

/** Why the ledger refuses an operation. All are codes of the catalogue. */
export type LedgerRefusal =
  | 'insufficient_funds'
  | 'market_limit_reached'
  | 'balance_limit_reached'
  | 'day_limit_reached'
  | 'account_frozen'
  | 'account_closed'
  | 'asset_mismatch'
  | 'hold_not_open'
  | 'hold_amount_exceeded'
  | 'already_reversed'
  | 'idempotency_key_reused'
  | 'not_found'

/** What stands in the way of money that a customer moves. They are remembered for a while (docs/decisions/0042). */
export const POSTING_REFUSALS = [
  'insufficient_funds',
  'balance_limit_reached',
  'account_frozen',
  'account_closed',
] as const satisfies LedgerRefusal[]

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
  debitBalanceMinor: bigint | null
  creditBalanceMinor: bigint | null
  detail: Detail
}

export type Booked = {
  id: string
  kind: string
  bookedAt: Date
  legs: BookedLeg[]
  /** True when this very operation had been applied before and this is its first answer again. */
  replayed: boolean
}

export type Outcome = { ok: true; booked: Booked } | { ok: false; refusal: LedgerRefusal; replayed: boolean }

type Trx = Transaction<Database>

/** An operation, and the rows that change with it. */
export type WithRows = {
  /** Whose it is: no two of one customer share a transaction, so that each sees what the one before has changed. */
  customerId: string
  /**
   * The operation or, where rows of the service decide, what makes it: it locks these rows and reads them, and changes nothing.
   */
  operation: Operation | ((trx: Trx) => Promise<Operation>)
  /** What belongs to it: done once it is booked, and not where it had been booked before. */
  also?: ((trx: Trx, booked: Booked) => Promise<void>) | undefined
}

/** What was booked of each operation, in their order. */
type Each<Operations extends Operation[]> = { [Place in keyof Operations]: Booked }

/**
 * What one request of a kind comes to: money to move, and rows of the slice that change with it.
 * `end` is told how the ledger decided the operation (nothing where there is none) and answers the caller; it throws the
 * Refusal that the caller gets where the ledger refused. `change` is written in the same commit; where the ledger knew the
 * operation already (`replayed`), the rows were written with it, and are to be left as they are.
 */
export type Ride<Change, Answer> = {
  operation?: Operation
  end(outcome: Outcome | undefined): Ended<Change, Answer>
}

/**
 * `finish` is what else is done once all is booked and written, with answers to wait for. Where it throws for one, the batch is
 * given up and each is done alone.
 */
export type Ended<Change, Answer> = {
  answer: Answer
  change?: Change
  finish?: ((trx: Trx) => Promise<unknown>) | undefined
}

/**
 * What needs more than its batch has locked: it becomes a ride in a SQL transaction of its own, where it may lock accounts (in the
 * order of their ids, before the ledger does) and book what comes before.
 */
export type Apart<Change, Answer> = { apart(trx: Trx): Promise<Ride<Change, Answer>> }

/**
 * One kind of request that changes rows of a slice together with money. Requests that are under way at the same time share one
 * SQL transaction: their rows are locked and read together, each is decided in memory, the ledger decides what they book, and all
 * that changes is written with a few statements and committed once. What a batch comes to is what its requests would have
 * come to one after the other.
 */
export type RiderKind<Asked, Found, Change, Answer> = {
  /** What no two requests of one batch have in common: those that depend on each other come one after the other. */
  namesOf(asked: Asked): readonly string[]
  /** Whether it is decided before the others of its batch. */
  isFirst?(asked: Asked): boolean
  /**
   * Locks the rows of the slice, in the order of their ids, and then reads what decides. Queries that are asked at the same
   * time are sent at the same time.
   */
  read(trx: Transaction<Database>, asked: readonly Asked[]): Promise<Found>
  /** Decides one request by what was read. Throws the Refusal that it gets; nothing is written of it then. */
  decide(found: Found, asked: Asked): Ride<Change, Answer> | Apart<Change, Answer>
  /** The statements that write what changes: as many for one change as for a hundred. */
  write?(changes: readonly Change[], found: Found): Statement[]
  /** Told once it is committed, and not at all where the connection was lost meanwhile: for what may be lost. */
  committed?(changes: readonly Change[]): void
}

/**
 * Does what a request asks for, together with whoever else asks, and answers it once it is committed. Throws what `decide` and
 * `end` refuse, or Refusal `unavailable`.
 */
export type Riders<Asked, Answer> = (asked: Asked) => Promise<Answer>

export type Ledger = {
  /**
   * Applies one operation, durably, sharing its commit with whoever else is posting.
   * Throws Refusal with a LedgerRefusal code; a refusal is remembered for a while (refusals.ts), and the same id refused
   * the same way again.
   */
  post(operation: Operation): Promise<Booked>
  /**
   * Refuses an operation as `post` would, by the same statements and remembering it alike; books nothing where it would not
   * be refused. For what is then booked in another way, and whose refusal is not to show that.
   */
  tryOut(operation: Operation): Promise<void>
  /** As `post`, but many, decided in the order given within one commit; one refusal spoils no other. */
  postAll(operations: Operation[]): Promise<Outcome[]>
  /**
   * The same inside the caller's own SQL transaction, for a service that changes its rows with the money.
   * Throws Refusal on the first refused operation: the caller lets it roll the transaction back. Where the answer is
   * `replayed`, the money moved in an earlier transaction, and the caller leaves its rows as they are.
   */
  postWithin<Operations extends Operation[] | [Operation]>(run: Run, operations: Operations): Promise<Each<Operations>>
  /** The same, but that one refusal spoils no other, as in `postAll`: the caller's transaction goes on. */
  postAllWithin(run: Run, operations: Operation[]): Promise<Outcome[]>
  /**
   * Applies one operation together with what a service changes with the money, in a SQL transaction that it shares with whoever
   * else asks at the same time (with-rows.ts). Throws as `post` does, and what the work throws: nothing has happened then.
   */
  postWithRows(work: WithRows): Promise<Booked>
  /**
   * Opens a kind of request that changes rows of a slice together with money (riders.ts), once for each server: those who
   * ask at the same time share a commit.
   */
  openRiders<Asked, Found, Change, Answer>(kind: RiderKind<Asked, Found, Change, Answer>): Riders<Asked, Answer>
  /** An operation as it was answered, or null. A remembered refusal is thrown again as a Refusal. */
  find(operationId: string, fingerprint: string): Promise<Booked | null>
  /**
   * Remembers that an operation was refused, where a service rolled its own transaction back for it: the same id is
   * then refused the same way again. What is known of the id already stays.
   */
  remember(refused: Pick<Operation, 'id' | 'fingerprint'>, refusal: LedgerRefusal): Promise<void>
  /** Waits for what is queued and closes the ledger's connections. */
  close(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Core {
    ledger: Ledger
  }
}
