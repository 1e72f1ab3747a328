import type { Asset } from '#contract/money.ts'
import { accountsOfBatch } from '#server/ledger/lanes.ts'
import type { AccountState, BatchState, Ceilings, HoldState } from '#server/ledger/decide.ts'
import { decideOperation } from '#server/ledger/decide.ts'
import { DETAIL_COLUMNS, findOperations, toDetail } from '#server/ledger/find-operations.ts'
import { formerId } from '#server/ledger/derived-id.ts'
import type { Execute } from '#server/ledger/execute.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'
import { numberArray, plainArray } from '#server/ledger/literals.ts'
import type { AccountId, BookedOperation, LedgerRefusal, Operation, PostingOutcome } from '#server/ledger/types.ts'
import { type DecidedOperation, writeStatement } from '#server/ledger/write.ts'

/**
 * The result of a planned batch: one outcome per operation, in order. If anything is new, it also contains the statement that
 * writes it and the holders whose balances change.
 */
export type BatchPlan = { outcomes: PostingOutcome[]; write: SqlStatement | null; holderIds: string[] }

/**
 * The rules for planning a batch. `remembers` is true if the ledger stores refusals under the operation's id. It is false for a
 * service that stores its own answers.
 */
export type Planning = { ceilings: Ceilings; remembers: boolean }

/**
 * The refusals that are not stored under the id of the operation. A later try with the same id may have another result: for
 * example, the same request may be within the limit of the next day.
 */
const NOT_REMEMBERED: ReadonlySet<LedgerRefusal> = new Set(['idempotency_key_reused', 'not_found', 'day_limit_reached'])

/**
 * Locks every account that the operations touch, in id order, and decides each operation in turn. The function only reads and
 * locks; the caller runs `write` in the same transaction. READ COMMITTED is enough, because everything that a decision depends
 * on is read after the locks are taken.
 */
export async function planBatch(
  execute: Execute,
  operations: Operation[],
  { ceilings, remembers }: Planning,
): Promise<BatchPlan> {
  const books: BatchState = {
    accounts: new Map(),
    holds: new Map(),
    reversible: new Map(),
    reversed: new Set(),
    ceilings,
  }
  const refers = operations.some(refersBack)
  if (refers) await readReferences(execute, operations, books)
  // The order matters: earlier operations and the states of holds must be read after the locks are taken.
  const [accounts = [], earlier = [], resolutions = []] = await execute(
    lockStatement(accountsOf(operations, books)),
    selectKnownResults(operations),
    ...(refers ? [resolutionsStatement(operations, books)] : []),
  )
  for (const row of accounts) books.accounts.set(row['id'] as AccountId, toState(row))
  noteResolutions(resolutions, books)
  const plan = await decideAll(execute, operations, books, earlier)
  const decided = plan.decided.filter(({ refusal }) => refusal === null || remembers)
  return {
    outcomes: plan.outcomes,
    write: decided.length > 0 ? writeStatement(decided) : null,
    holderIds: holdersOf(decided, books),
  }
}

function refersBack(operation: Operation): boolean {
  return operation.reverses !== undefined || operation.legs.some((leg) => leg.kind === 'post' || leg.kind === 'void')
}

async function decideAll(
  execute: Execute,
  operations: Operation[],
  books: BatchState,
  earlier: Record<string, unknown>[],
): Promise<{ outcomes: PostingOutcome[]; decided: DecidedOperation[] }> {
  const earlierResults = knownResults(operations, earlier)
  const outcomes: (PostingOutcome | null)[] = []
  const decidedById = new Map<string, DecidedOperation>()
  const replayedIds = new Map<Operation, string>()
  for (const operation of operations) {
    const before = earlierResults.get(operation)
    const twin = decidedById.get(operation.id)
    if (
      before
        ? before.fingerprint !== operation.fingerprint
        : twin && twin.operation.fingerprint !== operation.fingerprint
    ) {
      outcomes.push({ ok: false, refusal: 'idempotency_key_reused', replayed: false })
    } else if (before) {
      if (before.refusal) outcomes.push({ ok: false, refusal: before.refusal, replayed: true })
      else {
        replayedIds.set(operation, before.id)
        outcomes.push(null)
      }
    } else if (twin) {
      outcomes.push(toOutcome(twin, true))
    } else {
      const { legs, refusal } = decideOperation(books, operation)
      const fresh: DecidedOperation = { operation, legs: legs ?? [], refusal }
      if (refusal ? !NOT_REMEMBERED.has(refusal) : !operation.trial) decidedById.set(operation.id, fresh)
      outcomes.push(toOutcome(fresh, false))
    }
  }
  const stored =
    replayedIds.size > 0 ? await findOperations(execute, [...replayedIds.values()]) : new Map<string, BookedOperation>()
  const bookedOf = (operation: Operation | undefined) => operation && stored.get(replayedIds.get(operation) ?? '')
  return {
    outcomes: outcomes.map((outcome, index) => outcome ?? replayOutcome(bookedOf(operations[index]))),
    decided: [...decidedById.values()],
  }
}

type KnownOperation = { id: string; fingerprint: string; refusal: LedgerRefusal | null }

/**
 * Returns the earlier result of each operation that has one. A derived operation may be stored under its former id. Another
 * slice may have used the same former id, so the fingerprint must match.
 */
function knownResults(operations: Operation[], earlier: Record<string, unknown>[]): Map<Operation, KnownOperation> {
  // Applied operations are last in the rows. They therefore replace a refusal that another server stored at the same moment.
  const byId = new Map(
    earlier.map((row): [string, KnownOperation] => {
      const id = row['id'] as string
      const refusal = row['refusal'] as LedgerRefusal | null
      return [id, { id, fingerprint: row['fingerprint'] as string, refusal }]
    }),
  )
  const resultByOperation = new Map<Operation, KnownOperation>()
  if (byId.size === 0) return resultByOperation
  for (const operation of operations) {
    const former = operation.derivedFrom && byId.get(formerId(operation.derivedFrom))
    const isSame = former?.fingerprint === operation.fingerprint
    const outcome = byId.get(operation.id) ?? (isSame ? former : undefined)
    if (outcome) resultByOperation.set(operation, outcome)
  }
  return resultByOperation
}

/** Returns the ids under which the operations may be stored. */
function idsOf(operations: Operation[]): string[] {
  return operations.flatMap(({ id, derivedFrom }) => (derivedFrom ? [id, formerId(derivedFrom)] : [id]))
}

function holdersOf(operations: DecidedOperation[], books: BatchState): string[] {
  const holderIds = new Set<string>()
  for (const { legs } of operations) {
    for (const leg of legs) {
      for (const id of [leg.debit, leg.credit]) {
        const holderId = books.accounts.get(id)?.holderId
        if (holderId) holderIds.add(holderId)
      }
    }
  }
  return [...holderIds]
}

function replayOutcome(booked: BookedOperation | undefined): PostingOutcome {
  if (!booked) throw new Error('An operation that was found a moment ago is missing')
  return { ok: true, booked }
}

function toOutcome({ operation, legs, refusal }: DecidedOperation, replayed: boolean): PostingOutcome {
  if (refusal) return { ok: false, refusal, replayed }
  const { id, kind, bookedAt } = operation
  return { ok: true, booked: { id, kind, bookedAt, legs, replayed } }
}

const REFERENCE = `operation_id, leg, kind, debit_account, credit_account, amount_minor, held_minor, ${DETAIL_COLUMNS}`

/**
 * Reads the holds and the reversed operations before the locks are taken, to find the accounts to lock. The rows of holds and
 * operations never change after they are written.
 */
async function readReferences(execute: Execute, operations: Operation[], books: BatchState): Promise<void> {
  const holdIds = operations.flatMap((operation) =>
    operation.legs.flatMap((leg) => ('holdId' in leg ? [leg.holdId] : [])),
  )
  const reverses = operations.flatMap((operation) => operation.reverses ?? [])
  const requestedHolds = new Set(holdIds)
  const [rows = []] = await execute({
    // This form of the query allows only the index on `hold_id`. PostgreSQL may plan the query while there are few transfers
    // and reuse the plan later. With a condition on more columns, such a plan could scan all holds or all transfers.
    text: `SELECT found.* FROM unnest($1::uuid[]) AS asked (id), LATERAL (
             SELECT ${REFERENCE} FROM ledger.transfer t WHERE kind = 'hold' AND hold_id = asked.id LIMIT 1) found
           UNION ALL
           SELECT ${REFERENCE} FROM ledger.transfer t WHERE operation_id = ANY($2::uuid[])
            ORDER BY operation_id, leg`,
    values: [plainArray(holdIds), plainArray(reverses)],
  })
  for (const row of rows) {
    const id = row['operation_id'] as string
    const debit = row['debit_account'] as AccountId
    const credit = row['credit_account'] as AccountId
    const detail = toDetail(row)
    if (row['kind'] === 'hold') {
      // A reversed operation may have made holds of its own, which no operation of this batch names.
      if (!requestedHolds.has(id)) continue
      const hold: HoldState = { debit, credit, amountMinor: row['held_minor'] as number, detail, open: true }
      books.holds.set(id, hold)
    } else if ((row['amount_minor'] as number) > 0) {
      const legs = books.reversible.get(id) ?? []
      legs.push({ debit, credit, amountMinor: row['amount_minor'] as number, detail })
      books.reversible.set(id, legs)
    }
  }
}

/**
 * Returns the statement that reads which holds are still open and which operations are reversed. It runs under the locks,
 * because both can change.
 */
function resolutionsStatement(operations: Operation[], books: BatchState): SqlStatement {
  const reverses = operations.flatMap((operation) => operation.reverses ?? [])
  return {
    text: `SELECT hold_id AS id, true AS hold FROM ledger.transfer
            WHERE kind IN ('post', 'void') AND hold_id = ANY($1::uuid[])
           UNION ALL
           SELECT reverses, false FROM ledger.operation WHERE reverses = ANY($2::uuid[])`,
    values: [plainArray([...books.holds.keys()]), plainArray(reverses)],
  }
}

function noteResolutions(rows: Record<string, unknown>[], books: BatchState): void {
  for (const row of rows) {
    const id = row['id'] as string
    const hold = books.holds.get(id)
    if (row['hold'] === false) books.reversed.add(id)
    else if (hold) hold.open = false
  }
}

function accountsOf(operations: Operation[], books: BatchState): AccountId[] {
  const ids = accountsOfBatch({ operations })
  for (const hold of books.holds.values()) ids.add(hold.debit).add(hold.credit)
  for (const legs of books.reversible.values()) for (const leg of legs) ids.add(leg.debit).add(leg.credit)
  return [...ids]
}

function lockStatement(ids: AccountId[]): SqlStatement {
  return {
    text: `SELECT id, holder_id, code, asset, balance_minor::text, held_minor::text, incoming_minor::text, owed_minor, floor_minor, version, status,
                  used_day::text, used_in_minor, used_out_minor
             FROM ledger.account WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    values: [numberArray(ids)],
  }
}

function selectKnownResults(operations: Operation[]): SqlStatement {
  return {
    text: `SELECT operation_id AS id, fingerprint, code AS refusal FROM ledger.refusal WHERE operation_id = ANY($1::uuid[])
           UNION ALL
           SELECT id, fingerprint, NULL FROM ledger.operation WHERE id = ANY($1::uuid[])`,
    values: [plainArray(idsOf(operations))],
  }
}

function toState(row: Record<string, unknown>): AccountState {
  return {
    id: row['id'] as AccountId,
    holderId: row['holder_id'] as string | null,
    code: row['code'] as string,
    asset: row['asset'] as Asset,
    balanceMinor: BigInt(row['balance_minor'] as string),
    heldMinor: BigInt(row['held_minor'] as string),
    incomingMinor: BigInt(row['incoming_minor'] as string),
    owedMinor: BigInt(row['owed_minor'] as number),
    floorMinor: row['floor_minor'] === null ? null : BigInt(row['floor_minor'] as number),
    version: row['version'] as number,
    status: row['status'] as AccountState['status'],
    usedDay: row['used_day'] as string | null,
    usedMinor: { in: row['used_in_minor'] as number, out: row['used_out_minor'] as number },
  }
}
