import type { Transaction } from 'kysely'
import type { Asset } from '#contract/money.ts'
import type { Category } from '#contract/categories.ts'
import type { Label, Method, Params } from '#contract/line-texts.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'

/** A ledger account's number. The bank's own accounts have fixed numbers below 1000 (chart.ts). */
export type AccountId = number

/**
 * The description of a leg for the people on both sides, as codes with parameters (contract/line-texts.ts). Only names and
 * notes are text. The holder of the debit account sees `debitName`, and the holder of the credit account sees `creditName`. A
 * side without a name shows the label.
 */
export type Detail = {
  debitName?: string
  creditName?: string
  label?: Label
  category?: Category
  /** The payment method. */
  method?: Method
  /** The values that the label and the method need: `{ lastFour: '4821' }`. */
  params?: Params
  note?: string
  /** The business time when a pending leg is expected to settle. */
  settlesAt?: Date
}

/**
 * The daily limit that a leg counts to: the holder of `accountId` may move at most `mostMinor` in or out on the operation's
 * day. Each customer has one account with these counters, for moves on all of the customer's accounts.
 */
export type DayLimit = { accountId: AccountId; direction: 'in' | 'out'; mostMinor: number }

/** One step of an operation. Amounts are in minor units of the accounts' asset, above zero. */
export type Leg =
  | {
      kind: 'transfer'
      debit: AccountId
      credit: AccountId
      amountMinor: number
      detail?: Detail
      dayLimit?: DayLimit
      /** Books the leg although the holder owes the bank. The amount was held already or comes in with this operation. */
      despiteDebt?: true
    }
  /**
   * Holds `amountMinor` of the debit account. The operation's id identifies the hold from then on, so an operation makes at
   * most one hold. A job voids the hold after `expiresAt`.
   */
  | {
      kind: 'hold'
      debit: AccountId
      credit: AccountId
      amountMinor: number
      detail?: Detail
      dayLimit?: DayLimit
      expiresAt?: Date
      /** Makes the hold although the holder owes the bank. This operation ends another hold of the amount. */
      despiteDebt?: true
    }
  /**
   * Posts a hold. If `amountMinor` is given, only that amount is posted, and the remaining amount is released. A hold is posted
   * or voided once. The hold's description stays unless `detail` replaces it. The amount may exceed the hold by up to
   * `beyondMinor` (default zero) if the account has the money.
   */
  | { kind: 'post'; holdId: string; amountMinor?: number; beyondMinor?: number; detail?: Detail }
  /** Releases a whole hold. */
  | { kind: 'void'; holdId: string; detail?: Detail }

/** The source of an id that the bank itself derived: the slice's name, another id, and the purpose. */
export type DerivedFrom = { slice: string; causeId: string; purpose: string }

export type Operation = {
  /**
   * A UUID. The client makes it in any version except 8, or the bank derives it in version 8. The ledger never applies an id a
   * second time.
   */
  id: string
  /** The source of a version 8 id (derived-id.ts). Only the bank uses such ids. */
  derivedFrom?: DerivedFrom
  /** The kind of request, as in 'payment.send' or 'top_up.card'. */
  kind: string
  /** A digest of the request. The same id with another fingerprint is refused. */
  fingerprint: string
  /** The business time. */
  bookedAt: Date
  legs: Leg[]
  /**
   * The id of the operation that this one reverses. The transfers of that operation are booked in the opposite direction with
   * the same descriptions, and `legs` stays empty.
   */
  reverses?: string
  /** Whether the operation is only decided and never booked (`Ledger.tryOut`). */
  trial?: true
}

/** The reasons for which the ledger refuses an operation. All are codes of the error catalog. */
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

/** The stored refusals that a customer who moves money may receive (docs/decisions/0042). `day_limit_reached` is not stored. */
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
  /** The amount that moved; 0 if the leg only made or voided a hold. */
  amountMinor: number
  /** The amount newly held (above zero) or released (below zero) on the debit account. */
  heldMinor: number
  holdId: string | null
  /** The numbers of the entries on the two accounts, and the balances after them. All are null if no money moved. */
  debitVersion: number | null
  creditVersion: number | null
  debitBalanceMinor: bigint | null
  creditBalanceMinor: bigint | null
  detail: Detail
}

export type BookedOperation = {
  id: string
  kind: string
  bookedAt: Date
  legs: BookedLeg[]
  /** Whether the operation had been applied before. This result then repeats the first answer. */
  replayed: boolean
}

export type PostingOutcome =
  | { ok: true; booked: BookedOperation }
  | { ok: false; refusal: LedgerRefusal; replayed: boolean }

type Trx = Transaction<Database>

/** An operation together with the rows that change with it. */
export type WithRows = {
  /**
   * The customer whose operation it is. Two operations of one customer never share a transaction, so the second one sees the
   * changes of the first one.
   */
  customerId: string
  /**
   * The operation, or a function that makes it from the service's rows. The function locks and reads these rows and changes
   * nothing.
   */
  operation: Operation | ((trx: Trx) => Promise<Operation>)
  /** Work that runs after the booking, in the same transaction. It does not run if the operation had been booked before. */
  also?: ((trx: Trx, booked: BookedOperation) => Promise<void>) | undefined
}

/** The booked result of each operation, in order. */
type Each<Operations extends Operation[]> = { [Place in keyof Operations]: BookedOperation }

/**
 * The decision on one request: an operation to book, and changes to rows of the slice. `end` receives the ledger's outcome
 * (undefined without an operation) and makes the caller's answer. If the ledger refused the operation, `end` throws the Refusal
 * for the caller. `change` is written in the same commit. If the operation had been booked before (`replayed`), its rows were
 * written at that time and must not change again.
 */
export type RequestDecision<Change, Answer> = {
  operation?: Operation
  end(outcome: PostingOutcome | undefined): RequestResult<Change, Answer>
}

/**
 * The answer to one request. `finish` runs after everything is booked and written, and may wait for query results. If `finish`
 * throws for one request, the batch is rolled back and each request runs alone.
 */
export type RequestResult<Change, Answer> = {
  answer: Answer
  change?: Change
  finish?: ((trx: Trx) => Promise<unknown>) | undefined
}

/**
 * A request that needs more locks than its batch has. `apart` makes its decision in an SQL transaction of its own. There it may
 * lock accounts (in id order, before the ledger locks any) and book operations first.
 */
export type SeparateRequest<Change, Answer> = { apart(trx: Trx): Promise<RequestDecision<Change, Answer>> }

/**
 * One kind of request that changes rows of a slice together with money. Concurrent requests share one SQL transaction. The rows
 * of all requests are locked and read together, each request is decided in memory, and the ledger decides the operations. All
 * changes are written with a few statements and committed once. The result of a batch equals the result of its requests run one
 * after the other.
 */
export type BatchedRequestKind<Asked, Found, Change, Answer> = {
  /**
   * Returns the names of a request. Requests that depend on each other share a name. Two requests with a common name are never
   * in one batch and run one after the other.
   */
  namesOf(request: Asked): readonly string[]
  /** Whether the request is decided before the others of its batch. */
  isFirst?(request: Asked): boolean
  /** Locks the rows of the slice in id order, and then reads the rows that decide. Concurrent queries are sent together. */
  read(trx: Transaction<Database>, requests: readonly Asked[]): Promise<Found>
  /**
   * Decides one request from the rows read. To refuse the request, it throws a Refusal for the caller, and nothing is written
   * for that request.
   */
  decide(context: Found, request: Asked): RequestDecision<Change, Answer> | SeparateRequest<Change, Answer>
  /** Returns the statements that write the changes. Their number does not depend on the number of changes. */
  write?(changes: readonly Change[], context: Found): SqlStatement[]
  /**
   * Runs after the commit. It does not run if the connection was lost during the commit, so it is only for work that may be
   * lost.
   */
  committed?(changes: readonly Change[]): void
}

/**
 * Processes a request in a batch with concurrent ones and answers after the commit. Throws the Refusal of `decide` or `end`, or
 * Refusal `unavailable`.
 */
export type BatchedRequests<Asked, Answer> = (request: Asked) => Promise<Answer>

export type Ledger = {
  /**
   * Applies one operation durably in a commit that concurrent posts share. Throws Refusal with a LedgerRefusal code. Most
   * refusals are stored for a while (refusals.ts), and the same id is then refused with the same code. The exceptions are in
   * `NOT_REMEMBERED` (plan-batch.ts).
   *
   * @example
   * ```ts
   * const { operationId: id, fingerprint } = key
   * const booked = await deps.ledger.post({
   *   id,
   *   fingerprint,
   *   kind: 'savings.move',
   *   bookedAt: deps.clock.businessNow(),
   *   legs: [{ kind: 'transfer', debit: customer.currentAccountId, credit: goal.accountId, amountMinor: 25_00, detail }],
   * })
   * ```
   */
  post(operation: Operation): Promise<BookedOperation>
  /**
   * Refuses an operation exactly as `post` would, with the same statements and the same stored refusal, but never books it. It
   * is for an operation that will be booked in another way, so that both ways give the same refusal.
   */
  tryOut(operation: Operation): Promise<void>
  /** Applies many operations in the given order within one commit. A refused operation does not affect the others. */
  postAll(operations: Operation[]): Promise<PostingOutcome[]>
  /**
   * Applies operations in the caller's own SQL transaction, for a service that changes its rows with the money. Throws Refusal
   * on the first refused operation, and the caller must roll the transaction back. If the answer is `replayed`, the money moved
   * in an earlier transaction, and the caller must not change its rows.
   */
  postWithin<Operations extends Operation[] | [Operation]>(run: Run, operations: Operations): Promise<Each<Operations>>
  /**
   * Applies operations as `postWithin`, but a refused operation does not affect the others, and the caller's transaction
   * continues.
   */
  postAllWithin(run: Run, operations: Operation[]): Promise<PostingOutcome[]>
  /**
   * Applies one operation together with a service's changes, in an SQL transaction shared with concurrent requests
   * (post-with-rows.ts). Throws the errors of `post` and of the service's work. After an error nothing has changed.
   */
  postWithRows(work: WithRows): Promise<BookedOperation>
  /**
   * Registers a kind of request that changes rows of a slice together with money (batched-requests.ts), once for each server.
   * Concurrent requests share a commit.
   *
   * @example
   * ```ts
   * const cardMessages = deps.ledger.openBatchedRequests({
   *   namesOf: ({ message }: ReceivedMessage) => [`message ${message.messageId}`],
   *   read: (trx, asked) => readDecisionContext(deps, trx, asked.map(({ message }) => message)),
   *   decide: (facts, received) => clearMessage(deps, facts, received),
   *   write: (changes) => changeStatements(deps, changes),
   *   committed: (changes) => announceChanges(deps, changes),
   * })
   * const answer = await cardMessages(received)
   * ```
   */
  openBatchedRequests<Asked, Found, Change, Answer>(
    kind: BatchedRequestKind<Asked, Found, Change, Answer>,
  ): BatchedRequests<Asked, Answer>
  /** Returns the first answer to an operation; null if the operation has none. Throws a stored refusal again as a Refusal. */
  find(operationId: string, fingerprint: string): Promise<BookedOperation | null>
  /**
   * Stores the refusal of an operation after a service rolled its own transaction back. The same id is then refused with the
   * same code. An existing result of the id stays.
   */
  remember(refused: Pick<Operation, 'id' | 'fingerprint'>, refusal: LedgerRefusal): Promise<void>
  /** Waits for the queued operations and closes the ledger's connections. */
  close(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Core {
    ledger: Ledger
  }
}
