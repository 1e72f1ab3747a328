import type { Pool } from 'pg'
import { Refusal } from '#contract/errors.ts'
import { BANK_EVENT, eventPayloads } from '#server/platform/events/bank-event.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import type { Ceilings } from '#server/ledger/decide.ts'
import { planBatch } from '#server/ledger/plan-batch.ts'
import { findOperations } from '#server/ledger/find-operations.ts'
import { executeIn, executeOn } from '#server/ledger/execute.ts'
import { accountsOfBatch, assignBatches, type QueuedBatch } from '#server/ledger/lanes.ts'
import { inPipelinedTransaction } from '#server/ledger/pipelined.ts'
import { findKnownResult, rememberRefusal } from '#server/ledger/refusals.ts'
import { openRequestBatches } from '#server/ledger/batched-requests.ts'
import { commitWithRetries } from '#server/ledger/commit-with-retries.ts'
import { type LedgerMeasures, measureLedger, type QueueMeasures } from '#server/ledger/measures.ts'
import type { AccountId, BookedOperation, Ledger, Operation, PostingOutcome } from '#server/ledger/types.ts'
import { type Measures, UNMEASURED } from '#server/platform/telemetry/measures.ts'
import { outsideRequest, currentSpan, inBatch, inSpan } from '#server/platform/telemetry/trace.ts'
import { validate } from '#server/ledger/validate.ts'
import { bookedOrThrow, WITH_ROWS } from '#server/ledger/post-with-rows.ts'

type QueuedOperations = QueuedBatch & {
  resolve: (outcomes: PostingOutcome[]) => void
  reject: (reason: unknown) => void
  /** The trace span of the request. */
  span: ReturnType<typeof currentSpan>
}

export type LedgerOptions = {
  /** The database URL of the serving role. */
  url: string
  /** The number of batches in progress at once, each on its own connection. One batch commits while another is decided. */
  lanes?: number
  /** The maximum number of operations that share a commit. */
  batchSize?: number
  /** The highest allowed balance of a customer's account for each asset. The default is the largest safe integer. */
  ceilings?: Ceilings
  /** The metrics to record. By default nothing is measured. */
  measures?: Measures
  /**
   * Receives the holders whose balances a commit changed, after the commit. A NOTIFY within the transaction would hold a
   * cluster-wide lock until the commit is on the disk. The callback also runs if a lost connection leaves the outcome of the
   * commit unknown. It does not run for a posting within a caller's transaction, which announces its own changes.
   */
  onCommitted?: (holderIds: string[]) => void
}

/** The minimum number of waiting posts that justify a second lane. Fewer posts cost less in the next commit. */
const MIN_FOR_SECOND_LANE = 64
/** The longest time that posts wait for more posts before a second lane starts, in milliseconds. */
const MAX_WAIT_MS = 20
/**
 * The number of connections for each kind of batched requests. Requests that run alone leave one connection to the next batch.
 * Kinds do not wait for each other.
 */
const BATCHED_REQUEST_CONNECTIONS = 3
/**
 * The lock timeout in milliseconds. Posts hold locks for milliseconds, so a lock held for longer than this is stuck. The other
 * posts of a batch must not wait for it.
 */
const LOCK_TIMEOUT_MS = 1_000

/**
 * Opens the ledger. Concurrent callers share commits. While one batch is written, the next batch gathers, so under load each
 * fsync carries more transfers.
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
  const open: Ledger['openBatchedRequests'] = (kind) => {
    const connections = connect('alder riders', BATCHED_REQUEST_CONNECTIONS)
    const shared = { ceilings, onCommitted, measured: measured.queue('riders') }
    const opened = openRequestBatches(kind, { pool: connections, ...shared })
    measured.watchWaiting('riders', opened.waiting)
    kinds.push({ ...opened, connections })
    return opened.submit
  }
  const postWithRows = open(WITH_ROWS)

  function postAll(operations: Operation[]): Promise<PostingOutcome[]> {
    const added = () =>
      new Promise<PostingOutcome[]>((resolve, reject) => {
        for (const operation of operations) validate(operation)
        queue.add({ operations, resolve, reject, span: currentSpan() })
      })
    return inSpan('ledger.post', { attributes: { 'alder.operation.kind': operations[0]?.kind ?? '' } }, added)
  }

  async function post(operation: Operation): Promise<BookedOperation> {
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
      return booked as { [Place in keyof Operations]: BookedOperation }
    },
    async postAllWithin(run, operations) {
      const planned = await planWithin(run, operations, { ceilings, measured })
      await planned.write()
      return planned.outcomes
    },
    postWithRows,
    openBatchedRequests: open,
    find: (operationId, fingerprint) => find(pool, operationId, fingerprint),
    remember: (refused, refusal) => rememberRefusal(runOn(pool), refused, refusal),
    async close() {
      await Promise.all([queue.idle(), ...kinds.map((kind) => kind.idle())])
      await Promise.all([pool.end(), ...kinds.map(({ connections }) => connections.end())])
    },
  }
}

type BatchQueue = { add(batch: QueuedOperations): void; waiting(): number; idle(): Promise<void> }

type QueueOptions = Required<Pick<LedgerOptions, 'lanes' | 'batchSize'>> & {
  /** Writes batches in one commit and calls `decided` when they are decided. Never rejects. */
  write(batches: QueuedOperations[], decided: () => void): Promise<void>
}

/** Opens the queue that gathers posts and assigns them to the lanes. */
function openBatchQueue({ lanes, batchSize, write }: QueueOptions): BatchQueue {
  const queue: QueuedOperations[] = []
  /**
   * The accounts of each batch that is being decided. Once a batch's commit has been sent, the next batch may wait for its
   * locks.
   */
  const deciding = new Set<Set<AccountId>>()
  let running = 0
  let scheduled = false
  let timer: NodeJS.Timeout | null = null
  let waitedLongEnough = false
  let onIdle: (() => void) | null = null

  /**
   * Starts the lanes later in this turn of the event loop. Posts of the same turn, including follow-ups to answers, then share
   * a batch.
   */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() =>
      outsideRequest(() => {
        scheduled = false
        pump()
      }),
    )
  }

  function pump(): void {
    if (running > 0 && queue.length < MIN_FOR_SECOND_LANE && !waitedLongEnough) {
      // If the current commit takes unusually long, a second lane starts anyway, so that posts on other accounts do not wait.
      timer ??= setTimeout(() => {
        timer = null
        waitedLongEnough = true
        pump()
      }, MAX_WAIT_MS)
      return
    }
    waitedLongEnough = false
    for (const batches of assignBatches(queue, deciding, lanes - running, batchSize)) {
      const accounts = accountsOfBatch({ operations: batches.flatMap((batch) => batch.operations) })
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

/** Writes batches until each has its answer, and calls `decided` when they are decided. Never rejects. */
async function commitBatches(writer: Writer, batches: QueuedOperations[], decided: () => void): Promise<void> {
  /**
   * The holders whose balances any of the tries may have changed. A commit may have succeeded although its connection was lost,
   * and the next try then finds nothing new.
   */
  const changedHolders = new Set<string>()
  await commitWithRetries(batches, {
    async commit(items) {
      const operations = items.flatMap((batch) => batch.operations)
      const spans = items.map(({ span }) => span)
      const outcomes = await inBatch('ledger.batch', spans, () =>
        commit(writer, operations, { decided, changed: changedHolders }),
      )
      let start = 0
      for (const batch of items) {
        batch.resolve(outcomes.slice(start, start + batch.operations.length))
        start += batch.operations.length
      }
    },
    reject: (batch, reason) => batch.reject(reason),
    again: writer.measured.again,
  })
  if (changedHolders.size > 0) writer.onCommitted([...changedHolders])
}

type CommitHooks = { decided: () => void; changed: Set<string> }

/**
 * Decides operations and commits the new ones. Adds the holders whose balances change to `changed` before the commit is sent.
 */
function commit(
  { pool, ceilings, measured }: Writer,
  operations: Operation[],
  { decided, changed }: CommitHooks,
): Promise<PostingOutcome[]> {
  return inPipelinedTransaction(pool, async (pipeline) => {
    const batch = measured.begin(operations.length)
    const [plan] = await Promise.all([
      planBatch(pipeline.execute, operations, { ceilings, remembers: true }),
      pipeline.transactionStart,
    ])
    for (const holderId of plan.holderIds) changed.add(holderId)
    const committed = pipeline.commit(...(plan.write ? [plan.write] : []))
    decided()
    batch.decided()
    await committed
    batch.committed(plan.outcomes)
    return plan.outcomes
  })
}

/**
 * Decides operations in the caller's SQL transaction. `write` books them there and notifies the holders whose balances changed.
 */
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

async function find(pool: Pool, operationId: string, fingerprint: string): Promise<BookedOperation | null> {
  const result = await findKnownResult(runOn(pool), operationId)
  if (!result) return null
  if (result.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused')
  if (result.refusal) throw new Refusal(result.refusal)
  const booked = await findOperations(executeOn(pool), [operationId])
  return booked.get(operationId) ?? null
}
