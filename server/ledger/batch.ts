import type { Asset } from '#contract/money.ts'
import { accountsNamed } from '#server/ledger/lanes.ts'
import type { AccountState, Books, Ceilings, HoldState } from '#server/ledger/decide.ts'
import { decide } from '#server/ledger/decide.ts'
import { DETAIL_COLUMNS, fetchBooked, toDetail } from '#server/ledger/booked.ts'
import { formerId } from '#server/ledger/derived-id.ts'
import type { Execute } from '#server/ledger/execute.ts'
import type { Statement } from '#server/platform/db/statement.ts'
import { numbers, plain } from '#server/ledger/literals.ts'
import type { AccountId, Booked, LedgerRefusal, Operation, Outcome } from '#server/ledger/types.ts'
import { type Decided, writeStatement } from '#server/ledger/write.ts'

/**
 * What a batch came to: an answer per operation, in order, and, if anything is new, the statement that makes it so and
 * the holders whose balances it changes.
 */
export type BatchPlan = { outcomes: Outcome[]; write: Statement | null; holderIds: string[] }

/** `remembers`: whether what is refused is written down under its id; where a service answers in its own words, that does. */
export type Planning = { ceilings: Ceilings; remembers: boolean }

/** Refusals that say nothing about the books, and so are not remembered under the operation's id. */
const NOT_REMEMBERED: ReadonlySet<LedgerRefusal> = new Set(['idempotency_key_reused', 'not_found', 'day_limit_reached'])

/**
 * Locks every account the operations touch, in id order, and decides each operation in turn. Reads only: the caller
 * runs `write` in the same transaction. READ COMMITTED is enough, because whatever a decision depends on is read
 * after the locks are held.
 */
export async function planBatch(
  execute: Execute,
  operations: Operation[],
  { ceilings, remembers }: Planning,
): Promise<BatchPlan> {
  const books: Books = {
    accounts: new Map(),
    holds: new Map(),
    reversible: new Map(),
    reversed: new Set(),
    ceilings,
  }
  const refers = operations.some(refersBack)
  if (refers) await readReferences(execute, operations, books)
  // In this order: what is already known, and what became of holds, must be asked once the locks are held.
  const [accounts = [], earlier = [], resolutions = []] = await execute(
    lockStatement(accountsOf(operations, books)),
    knownStatement(operations),
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
  books: Books,
  earlier: Record<string, unknown>[],
): Promise<{ outcomes: Outcome[]; decided: Decided[] }> {
  const known = knownOf(operations, earlier)
  const outcomes: (Outcome | null)[] = []
  const decided = new Map<string, Decided>()
  const replayed = new Map<Operation, string>()
  for (const operation of operations) {
    const before = known.get(operation)
    const twin = decided.get(operation.id)
    if (
      before
        ? before.fingerprint !== operation.fingerprint
        : twin && twin.operation.fingerprint !== operation.fingerprint
    ) {
      outcomes.push({ ok: false, refusal: 'idempotency_key_reused', replayed: false })
    } else if (before) {
      if (before.refusal) outcomes.push({ ok: false, refusal: before.refusal, replayed: true })
      else {
        replayed.set(operation, before.id)
        outcomes.push(null)
      }
    } else if (twin) {
      outcomes.push(toOutcome(twin, true))
    } else {
      const { legs, refusal } = decide(books, operation)
      const fresh: Decided = { operation, legs: legs ?? [], refusal }
      if (refusal ? !NOT_REMEMBERED.has(refusal) : !operation.trial) decided.set(operation.id, fresh)
      outcomes.push(toOutcome(fresh, false))
    }
  }
  const stored = replayed.size > 0 ? await fetchBooked(execute, [...replayed.values()]) : new Map<string, Booked>()
  const bookedOf = (operation: Operation | undefined) => operation && stored.get(replayed.get(operation) ?? '')
  return {
    outcomes: outcomes.map((outcome, index) => outcome ?? replayOutcome(bookedOf(operations[index]))),
    decided: [...decided.values()],
  }
}

type Known = { id: string; fingerprint: string; refusal: LedgerRefusal | null }

/**
 * What is known of operations already. A derived one may be known by its former id; whatever else has that id is another
 * slice's, and says nothing about this one.
 */
function knownOf(operations: Operation[], earlier: Record<string, unknown>[]): Map<Operation, Known> {
  // Applied ones come last: what was applied is the answer, whatever another server refused in the same instant.
  const byId = new Map(
    earlier.map((row): [string, Known] => {
      const id = row['id'] as string
      const refusal = row['refusal'] as LedgerRefusal | null
      return [id, { id, fingerprint: row['fingerprint'] as string, refusal }]
    }),
  )
  const known = new Map<Operation, Known>()
  if (byId.size === 0) return known
  for (const operation of operations) {
    const former = operation.derivedFrom && byId.get(formerId(operation.derivedFrom))
    const isSame = former?.fingerprint === operation.fingerprint
    const found = byId.get(operation.id) ?? (isSame ? former : undefined)
    if (found) known.set(operation, found)
  }
  return known
}

/** The ids under which operations may be known. */
function idsOf(operations: Operation[]): string[] {
  return operations.flatMap(({ id, derivedFrom }) => (derivedFrom ? [id, formerId(derivedFrom)] : [id]))
}

function holdersOf(decided: Decided[], books: Books): string[] {
  const holderIds = new Set<string>()
  for (const { legs } of decided) {
    for (const leg of legs) {
      for (const id of [leg.debit, leg.credit]) {
        const holderId = books.accounts.get(id)?.holderId
        if (holderId) holderIds.add(holderId)
      }
    }
  }
  return [...holderIds]
}

function replayOutcome(booked: Booked | undefined): Outcome {
  if (!booked) throw new Error('An operation known a moment ago is gone')
  return { ok: true, booked }
}

function toOutcome({ operation, legs, refusal }: Decided, replayed: boolean): Outcome {
  if (refusal) return { ok: false, refusal, replayed }
  const { id, kind, bookedAt } = operation
  return { ok: true, booked: { id, kind, bookedAt, legs, replayed } }
}

const REFERENCE = `operation_id, leg, kind, debit_account, credit_account, amount_minor, held_minor, ${DETAIL_COLUMNS}`

/** Holds and reversed operations never change once made, so they may be read before the locks, to learn the accounts. */
async function readReferences(execute: Execute, operations: Operation[], books: Books): Promise<void> {
  const holdIds = operations.flatMap((one) => one.legs.flatMap((leg) => ('holdId' in leg ? [leg.holdId] : [])))
  const reverses = operations.flatMap((one) => one.reverses ?? [])
  const asked = new Set(holdIds)
  const [rows = []] = await execute({
    // Asked so that no other index fits: planned while there are few transfers, a search by more than its key may go through all
    // holds, or all that ever moved, and goes on to.
    text: `SELECT found.* FROM unnest($1::uuid[]) AS asked (id), LATERAL (
             SELECT ${REFERENCE} FROM ledger.transfer t WHERE kind = 'hold' AND hold_id = asked.id LIMIT 1) found
           UNION ALL
           SELECT ${REFERENCE} FROM ledger.transfer t WHERE operation_id = ANY($2::uuid[])
            ORDER BY operation_id, leg`,
    values: [plain(holdIds), plain(reverses)],
  })
  for (const row of rows) {
    const id = row['operation_id'] as string
    const debit = row['debit_account'] as AccountId
    const credit = row['credit_account'] as AccountId
    const detail = toDetail(row)
    if (row['kind'] === 'hold') {
      // One that an operation made which is to be reversed was not asked for.
      if (!asked.has(id)) continue
      const hold: HoldState = { debit, credit, amountMinor: row['held_minor'] as number, detail, open: true }
      books.holds.set(id, hold)
    } else if ((row['amount_minor'] as number) > 0) {
      const legs = books.reversible.get(id) ?? []
      legs.push({ debit, credit, amountMinor: row['amount_minor'] as number, detail })
      books.reversible.set(id, legs)
    }
  }
}

/** Whether holds are still open and operations not yet reversed; read under the locks, because that does change. */
function resolutionsStatement(operations: Operation[], books: Books): Statement {
  const reverses = operations.flatMap((one) => one.reverses ?? [])
  return {
    text: `SELECT hold_id AS id, true AS hold FROM ledger.transfer
            WHERE kind IN ('post', 'void') AND hold_id = ANY($1::uuid[])
           UNION ALL
           SELECT reverses, false FROM ledger.operation WHERE reverses = ANY($2::uuid[])`,
    values: [plain([...books.holds.keys()]), plain(reverses)],
  }
}

function noteResolutions(rows: Record<string, unknown>[], books: Books): void {
  for (const row of rows) {
    const id = row['id'] as string
    const hold = books.holds.get(id)
    if (row['hold'] === false) books.reversed.add(id)
    else if (hold) hold.open = false
  }
}

function accountsOf(operations: Operation[], books: Books): AccountId[] {
  const ids = accountsNamed({ operations })
  for (const hold of books.holds.values()) ids.add(hold.debit).add(hold.credit)
  for (const legs of books.reversible.values()) for (const leg of legs) ids.add(leg.debit).add(leg.credit)
  return [...ids]
}

function lockStatement(ids: AccountId[]): Statement {
  return {
    text: `SELECT id, holder_id, code, asset, balance_minor::text, held_minor::text, incoming_minor::text, owed_minor, floor_minor, version, status,
                  used_day::text, used_in_minor, used_out_minor
             FROM ledger.account WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    values: [numbers(ids)],
  }
}

function knownStatement(operations: Operation[]): Statement {
  return {
    text: `SELECT operation_id AS id, fingerprint, code AS refusal FROM ledger.refusal WHERE operation_id = ANY($1::uuid[])
           UNION ALL
           SELECT id, fingerprint, NULL FROM ledger.operation WHERE id = ANY($1::uuid[])`,
    values: [plain(idsOf(operations))],
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
