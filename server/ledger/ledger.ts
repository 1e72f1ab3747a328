import type { Pool } from 'pg'
import { Refusal } from '#contract/errors.ts'
import { BANK_EVENT, eventPayloads } from '#server/platform/events/bank-event.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import type { Ceilings } from '#server/ledger/decide.ts'
import { planBatch } from '#server/ledger/batch.ts'
import { fetchBooked } from '#server/ledger/booked.ts'
import { executeIn, executeOn } from '#server/ledger/execute.ts'
import { accountsNamed, assignBatches, type QueuedBatch } from '#server/ledger/lanes.ts'
import { inPipelined } from '#server/ledger/pipelined.ts'
import { findKnown, rememberRefusal } from '#server/ledger/refusals.ts'
import { openRiders } from '#server/ledger/riders.ts'
import { settle } from '#server/ledger/settle.ts'
import { type LedgerMeasures, measureLedger, type QueueMeasures } from '#server/ledger/measures.ts'
import type { AccountId, Booked, Ledger, Operation, Outcome } from '#server/ledger/types.ts'
import { type Measures, UNMEASURED } from '#server/platform/telemetry/measures.ts'
import { apartFromRequests, currentSpan, inBatch, inSpan } from '#server/platform/telemetry/trace.ts'
import { validate } from '#server/ledger/validate.ts'
import { bookedOrThrow, WITH_ROWS } from '#server/ledger/with-rows.ts'

type Waiting = QueuedBatch & {
  resolve: (outcomes: Outcome[]) => void
  reject: (reason: unknown) => void
  /** As a part of what it is done, where that is traced. */
  span: ReturnType<typeof currentSpan>
}

export type LedgerOptions = {
  /** The serving role's database. */
  url: string
  /** How many batches may be under way at once, each on a connection of its own: one commits while another is decided. */
  lanes?: number
  /** The most operations that share a commit. */
  batchSize?: number
  /** What a customer's account may hold at most; without one, what a number holds exactly. */
  ceilings?: Ceilings
  /** Who measures; nobody unless told. */
  measures?: Measures
  /**
   * Told whose balances a commit changed, once it is done: a NOTIFY within it would hold a lock over the whole cluster
   * until it is on the disk. Also told where it stays open whether a commit was done. What is posted within a caller's
   * transaction is announced by that transaction.
   */
  onCommitted?: (holderIds: string[]) => void
}

/** Fewer waiting posts than this are better off together in the next commit than in a second lane now. */
const MIN_FOR_SECOND_LANE = 64
/** How long posts wait at most for more to join them in a second lane, in milliseconds. */
const MAX_WAIT_MS = 20
/** The connections of a kind of riders: those that are done each alone leave one to the next batch. No kind waits for another. */
const RIDER_CONNECTIONS = 3
/** Posts hold locks for milliseconds. Whoever holds one this long is stuck, and the rest of a batch shall not wait for it. */
const LOCK_TIMEOUT_MS = 1_000

/**
 * Opens the ledger. Concurrent callers share commits: while one batch is being written the next one gathers, so the
 * busier the bank is, the more transfers each fsync carries.
 */
export function createLedger({
  url,
  lanes = 2,
  batchSize = 512,
  ceilings = {},
  measures = UNMEASURED,
  onCommitted = () => undefined,
}: LedgerOptions): Ledger {
  const connect = (name: string, max: number) =>
    openPool(url, { max, pipeline: true, name, lockTimeoutMs: LOCK_TIMEOUT_MS, measures })
  const pool = connect('alder ledger', lanes)
  const measured = measureLedger(measures)
  const queue = openBatchQueue({
    lanes,
    batchSize,
    write: (batches, decided) =>
      commitBatches({ pool, ceilings, onCommitted, measured: measured.queue('posts') }, batches, decided),
  })
  measured.watchWaiting('posts', queue.waiting)
  const kinds: { idle(): Promise<void>; connections: Pool }[] = []
  const open: Ledger['openRiders'] = (kind) => {
    const connections = connect('alder riders', RIDER_CONNECTIONS)
    const opened = openRiders(kind, { pool: connections, ceilings, onCommitted, measured: measured.queue('riders') })
    measured.watchWaiting('riders', opened.waiting)
    kinds.push({ ...opened, connections })
    return opened.ride
  }
  const postWithRows = open(WITH_ROWS)

  function postAll(operations: Operation[]): Promise<Outcome[]> {
    const added = () =>
      new Promise<Outcome[]>((resolve, reject) => {
        for (const operation of operations) validate(operation)
        queue.add({ operations, resolve, reject, span: currentSpan() })
      })
    return inSpan('ledger.post', { attributes: { 'alder.operation.kind': operations[0]?.kind ?? '' } }, added)
  }

  async function post(operation: Operation): Promise<Booked> {
    const [outcome] = await postAll([operation])
    return bookedOrThrow(outcome)
  }

  return {
    postAll,
    post,
    async tryOut(operation) {
      await post({ ...operation, trial: true })
    },
    async postWithin<Operations extends Operation[]>(run: Run, operations: Operations) {
      const planned = await planWithin(run, operations, { ceilings, measured })
      const booked = planned.outcomes.map(bookedOrThrow)
      await planned.write()
      return booked as { [Place in keyof Operations]: Booked }
    },
    async postAllWithin(run, operations) {
      const planned = await planWithin(run, operations, { ceilings, measured })
      await planned.write()
      return planned.outcomes
    },
    postWithRows,
    openRiders: open,
    find: (operationId, fingerprint) => find(pool, operationId, fingerprint),
    remember: (refused, refusal) => rememberRefusal(runOn(pool), refused, refusal),
    async close() {
      await Promise.all([queue.idle(), ...kinds.map((kind) => kind.idle())])
      await Promise.all([pool.end(), ...kinds.map(({ connections }) => connections.end())])
    },
  }
}

type BatchQueue = { add(batch: Waiting): void; waiting(): number; idle(): Promise<void> }

type QueueOptions = Required<Pick<LedgerOptions, 'lanes' | 'batchSize'>> & {
  /** Writes batches in one commit and tells when they are decided; never rejects. */
  write(batches: Waiting[], decided: () => void): Promise<void>
}

/** Gathers what is posted and gives it to the lanes. */
function openBatchQueue({ lanes, batchSize, write }: QueueOptions): BatchQueue {
  const queue: Waiting[] = []
  /** The accounts of commits being decided. Once one is on its way to the disk, the next may wait for its locks. */
  const deciding = new Set<Set<AccountId>>()
  let running = 0
  let scheduled = false
  let timer: NodeJS.Timeout | null = null
  let waitedLongEnough = false
  let onIdle: (() => void) | null = null

  /** Later in this turn, so that all who post in the same turn, or were just answered and post again, share a batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() =>
      apartFromRequests(() => {
        scheduled = false
        pump()
      }),
    )
  }

  function pump(): void {
    if (running > 0 && queue.length < MIN_FOR_SECOND_LANE && !waitedLongEnough) {
      // Unless the commit under way takes unusually long: nobody waits for an account that is not theirs.
      timer ??= setTimeout(() => {
        timer = null
        waitedLongEnough = true
        pump()
      }, MAX_WAIT_MS)
      return
    }
    waitedLongEnough = false
    for (const batches of assignBatches(queue, deciding, lanes - running, batchSize)) {
      const accounts = accountsNamed({ operations: batches.flatMap((batch) => batch.operations) })
      const decided = (): void => {
        if (deciding.delete(accounts) && queue.length > 0) schedule()
      }
      deciding.add(accounts)
      running += 1
      void write(batches, decided).finally(() => {
        running -= 1
        decided()
        if (queue.length > 0) schedule()
        else if (running === 0) onIdle?.()
      })
    }
  }

  return {
    add(batch) {
      queue.push(batch)
      schedule()
    },
    waiting: () => queue.reduce((sum, { operations }) => sum + operations.length, 0),
    async idle() {
      if (running === 0 && queue.length === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
  }
}

type Writer = Required<Pick<LedgerOptions, 'ceilings' | 'onCommitted'>> & { pool: Pool; measured: QueueMeasures }

/** Writes batches until each has its answer, and tells when they are decided; never rejects. */
async function commitBatches(writer: Writer, batches: Waiting[], decided: () => void): Promise<void> {
  /** Of every try: what a lost connection cut off may have been committed, and the next try finds nothing new. */
  const changed = new Set<string>()
  await settle(batches, {
    async commit(items) {
      const operations = items.flatMap((batch) => batch.operations)
      const spans = items.map(({ span }) => span)
      const outcomes = await inBatch('ledger.batch', spans, () => commit(writer, operations, { decided, changed }))
      let start = 0
      for (const batch of items) {
        batch.resolve(outcomes.slice(start, start + batch.operations.length))
        start += batch.operations.length
      }
    },
    reject: (batch, reason) => batch.reject(reason),
    again: writer.measured.again,
  })
  if (changed.size > 0) writer.onCommitted([...changed])
}

type CommitHooks = { decided: () => void; changed: Set<string> }

/** Decides operations and commits what is new. Whose balances that changes is in `changed` before the commit is sent. */
function commit(
  { pool, ceilings, measured }: Writer,
  operations: Operation[],
  { decided, changed }: CommitHooks,
): Promise<Outcome[]> {
  return inPipelined(pool, async (on) => {
    const batch = measured.begin(operations.length)
    const [plan] = await Promise.all([planBatch(on.execute, operations, { ceilings, remembers: true }), on.begun])
    for (const holderId of plan.holderIds) changed.add(holderId)
    const committed = on.commit(...(plan.write ? [plan.write] : []))
    decided()
    batch.decided()
    await committed
    batch.committed(plan.outcomes)
    return plan.outcomes
  })
}

/** Decides operations in the caller's SQL transaction; `write` books them there and tells whose balances changed. */
async function planWithin(
  run: Run,
  operations: Operation[],
  { ceilings, measured }: { ceilings: Ceilings; measured: LedgerMeasures },
) {
  for (const operation of operations) validate(operation)
  const execute = executeIn(run)
  const plan = await planBatch(execute, operations, { ceilings, remembers: true })
  measured.decided(plan.outcomes)
  const write = async (): Promise<void> => {
    if (plan.write) await execute(plan.write)
    for (const payload of eventPayloads('balance', plan.holderIds))
      await execute({ text: 'SELECT pg_notify($1, $2)', values: [BANK_EVENT, payload] })
  }
  return { outcomes: plan.outcomes, write }
}

async function find(pool: Pool, operationId: string, fingerprint: string): Promise<Booked | null> {
  const known = await findKnown(runOn(pool), operationId)
  if (!known) return null
  if (known.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused')
  if (known.refusal) throw new Refusal(known.refusal)
  const booked = await fetchBooked(executeOn(pool), [operationId])
  return booked.get(operationId) ?? null
}
