import type { Transaction } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool } from 'pg'
import { Refusal } from '#contract/errors.ts'
import { type BatchPlan, planBatch } from '#server/ledger/plan-batch.ts'
import type { Ceilings } from '#server/ledger/decide.ts'
import { inPipelinedTransaction } from '#server/ledger/pipelined.ts'
import type { QueueMeasures } from '#server/ledger/measures.ts'
import { outsideRequest, currentSpan, captureContext, inBatch, inSpan } from '#server/platform/telemetry/trace.ts'
import { commitWithRetries } from '#server/ledger/commit-with-retries.ts'
import type {
  SeparateRequest,
  RequestResult,
  Operation,
  PostingOutcome,
  RequestDecision,
  BatchedRequestKind,
  BatchedRequests,
} from '#server/ledger/types.ts'
import { validate } from '#server/ledger/validate.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { transactionOn } from '#server/platform/db/transaction-on.ts'

export type BatchWriter = {
  pool: Pool
  ceilings: Ceilings
  onCommitted: (holderIds: string[]) => void
  measured: QueueMeasures
}

/** The maximum number of requests that share a commit. */
const BATCH = 128
/**
 * The minimum number of waiting requests that start a second batch while another batch commits. Fewer requests cost less if
 * they wait for the next batch.
 */
const MIN_FOR_SECOND_BATCH = 64

/**
 * The maximum number of requests that run alone at the same time, over all batches. The other connections serve the next
 * batches.
 */
const ALONE = 2

type QueuedRequest<Asked, Answer> = {
  request: Asked
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
  /** Runs work in the asynchronous context in which this request was made, instead of the context of its batch. */
  forThem: ReturnType<typeof captureContext>
  span: ReturnType<typeof currentSpan>
}

/**
 * Opens the queue of one kind of request, in which requests wait for the next batch. `idle` resolves when no request
 * is left.
 */
export function openRequestBatches<Asked, Found, Change, Answer>(
  kind: BatchedRequestKind<Asked, Found, Change, Answer>,
  writer: BatchWriter,
): { submit: BatchedRequests<Asked, Answer>; waiting(): number; idle(): Promise<void> } {
  type BatchedRequest = QueuedRequest<Asked, Answer>
  const queue: BatchedRequest[] = []
  const underWay = new Set<Promise<void>>()
  /** The names of the requests in progress. Other requests with the same name wait. */
  const named = new Set<string>()
  /** The number of batches in progress. A batch no longer counts once its requests run alone. */
  let batches = 0
  /** The number of batches in progress whose commit has not been sent yet. */
  let deciding = 0
  let scheduled = false
  const alone = pLimit(ALONE)
  const namesOf = ({ request }: BatchedRequest): readonly string[] => kind.namesOf(request)
  const place = ({ request }: BatchedRequest): number => (kind.isFirst?.(request) === true ? 0 : 1)

  function begin(): void {
    scheduled = false
    const batch = takeBatch(queue, namesOf, named).toSorted((a, b) => place(a) - place(b))
    if (batch.length === 0) return
    const working = work(batch).finally(() => underWay.delete(working))
    underWay.add(working)
  }

  /** Starts a batch later in this turn of the event loop, so that requests of the same turn share it. */
  function schedule(): void {
    if (scheduled || deciding > 0 || queue.length === 0) return
    if (batches > 0 && queue.length < MIN_FOR_SECOND_BATCH) return
    scheduled = true
    setImmediate(() => outsideRequest(begin))
  }

  const wait = (request: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      queue.push({ request, resolve, reject, forThem: captureContext(), span: currentSpan() })
      schedule()
    })

  async function work(batch: readonly BatchedRequest[]): Promise<void> {
    const free = (requests: readonly BatchedRequest[]): void => {
      for (const name of requests.flatMap(namesOf)) named.delete(name)
    }
    for (const name of batch.flatMap(namesOf)) named.add(name)
    batches += 1
    deciding += 1
    const decided = once(() => {
      deciding -= 1
      schedule()
    })
    const parted = once(() => {
      batches -= 1
      decided()
      schedule()
    })
    await commitBatch(kind, writer, batch, { decided, parted, free, alone })
    parted()
    schedule()
  }

  return {
    submit: (request) => inSpan('ledger.ride', {}, () => wait(request)),
    waiting: () => queue.length,
    async idle() {
      while (queue.length > 0 || underWay.size > 0) {
        await (underWay.size > 0 ? Promise.all(underWay) : new Promise((resolve) => setImmediate(resolve)))
      }
    },
  }
}

type BatchHooks<BatchedRequest> = {
  alone: LimitFunction
  decided(): void
  /** Runs when the requests of a batch start to run alone. */
  parted(): void
  /** Releases the names of these requests, so that others with the same name can begin. */
  free(requests: readonly BatchedRequest[]): void
}

/**
 * Commits a batch until each request has its answer. A request that needs more locks than its batch has is committed
 * separately.
 */
async function commitBatch<Asked, Found, Change, Answer>(
  kind: BatchedRequestKind<Asked, Found, Change, Answer>,
  writer: BatchWriter,
  batch: readonly QueuedRequest<Asked, Answer>[],
  { decided, parted, free, alone }: BatchHooks<QueuedRequest<Asked, Answer>>,
): Promise<void> {
  type BatchedRequest = QueuedRequest<Asked, Answer>
  /**
   * The holders whose balances any of the tries may have changed. A commit may have succeeded although its connection was lost.
   */
  const changedHolders = new Set<string>()
  const reportDecided = (): void => {
    if (changedHolders.size > 0) writer.onCommitted([...changedHolders])
    changedHolders.clear()
  }
  let unfinished = batch
  const commit = async (requests: readonly BatchedRequest[]): Promise<void> => {
    const spans = requests.map(({ span }) => span)
    const separate = await inBatch('ledger.batch', spans, () =>
      commitRequests(kind, writer, requests, { decided, changed: changedHolders, isAlone: requests !== batch }),
    )
    reportDecided()
    if (separate.length === 0) return
    free(requests.filter((request) => !separate.includes(request)))
    unfinished = separate
    parted()
    await Promise.all(
      separate.map((request) => alone(() => commitWithRetries([request], { ...settling, isPatient: true }))),
    )
  }
  const reject = (request: BatchedRequest, reason: unknown): void => request.reject(reason)
  const settling = { commit, reject, parted, alone, again: writer.measured.again }
  await commitWithRetries(batch, settling)
  reportDecided()
  free(unfinished)
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/**
 * Removes the requests of the next batch from the queue and returns them. They share no name with each other or with requests
 * in progress. The requests that stay in the queue keep their order.
 */
function takeBatch<Item>(
  queue: Item[],
  namesOf: (item: Item) => readonly string[],
  underWay: ReadonlySet<string>,
): Item[] {
  const busyNames = new Set(underWay)
  const batch: Item[] = []
  const laterItems: Item[] = []
  for (const item of queue) {
    const names = namesOf(item)
    const fits = batch.length < BATCH && !names.some((name) => busyNames.has(name))
    for (const name of names) busyNames.add(name)
    if (fits) batch.push(item)
    else laterItems.push(item)
  }
  queue.splice(0, queue.length, ...laterItems)
  return batch
}

type RefusedRequest = { refused: Refusal }
type RequestOutcome<Change, Answer> = RequestDecision<Change, Answer> | SeparateRequest<Change, Answer> | RefusedRequest

/** `isAlone` is true for a request that has left its batch and may take as long as it needs. */
type CommitHooks = { decided: () => void; changed: Set<string>; isAlone: boolean }

/** Decides a batch, commits the changes and only then answers. Returns the requests that must run alone. */
async function commitRequests<Asked, Found, Change, Answer>(
  kind: BatchedRequestKind<Asked, Found, Change, Answer>,
  { pool, ceilings, measured }: BatchWriter,
  requests: readonly QueuedRequest<Asked, Answer>[],
  { decided, changed, isAlone }: CommitHooks,
): Promise<QueuedRequest<Asked, Answer>[]> {
  const batchResult = await inPipelinedTransaction(pool, async ({ client, execute, transactionStart, commit }) => {
    const { trx, end } = transactionOn(client)
    const timed = measured.begin(requests.length)
    try {
      const details = requests.map((request) => request.request)
      const [context] = await Promise.all([kind.read(trx, details), transactionStart])
      const decisions = await Promise.all(
        requests.map((request) => request.forThem(() => decide(kind, context, request.request, isAlone ? trx : null))),
      )
      const operations = decisions.flatMap((decision) =>
        'end' in decision && decision.operation ? [decision.operation] : [],
      )
      const plan =
        operations.length > 0 ? await planBatch(execute, operations, { ceilings, remembers: false }) : NOTHING
      const outcomes = new Map(operations.map((operation, index) => [operation, plan.outcomes[index]]))
      const ended = decisions.map((decision) => endOf(decision, outcomes))
      // A request that runs alone may have booked something before it was refused. The refusal is therefore thrown, which rolls
      // the SQL transaction back.
      if (isAlone) for (const decision of ended) if ('refused' in decision) throw decision.refused
      for (const holderId of plan.holderIds) changed.add(holderId)
      const changes = ended.flatMap((decision) =>
        'change' in decision && decision.change !== undefined ? [decision.change] : [],
      )
      const finishing = ended.flatMap((decision, index) => {
        const finish = 'finish' in decision ? decision.finish : undefined
        return finish ? [async () => requests[index]?.forThem(() => finish(trx))] : []
      })
      const writes = changes.length > 0 ? (kind.write?.(changes, context) ?? []) : []
      if (plan.write) writes.unshift(plan.write)
      if (finishing.length > 0) {
        await execute(...writes.splice(0))
        await Promise.all(finishing.map((finish) => finish()))
      }
      const committed = commit(...writes)
      decided()
      timed.decided()
      await committed
      timed.committed(plan.outcomes)
      return { ended, changes }
    } finally {
      end()
    }
  })
  for (const [index, { resolve, reject }] of requests.entries()) {
    const decision = batchResult.ended[index]
    if (decision && 'answer' in decision) resolve(decision.answer)
    else if (decision && 'refused' in decision) reject(decision.refused)
  }
  if (batchResult.changes.length > 0) kind.committed?.(batchResult.changes)
  return requests.filter((_, index) => 'apart' in (batchResult.ended[index] ?? {}))
}

const NOTHING: BatchPlan = { outcomes: [], write: null, holderIds: [] }

/** Decides one request. `alone` is the SQL transaction of a request that has left its batch. */
async function decide<Asked, Found, Change, Answer>(
  kind: BatchedRequestKind<Asked, Found, Change, Answer>,
  context: Found,
  request: Asked,
  alone: Transaction<Database> | null,
): Promise<RequestOutcome<Change, Answer>> {
  try {
    const decided = kind.decide(context, request)
    const decision = alone && 'apart' in decided ? await decided.apart(alone) : decided
    if ('operation' in decision && decision.operation) validate(decision.operation)
    return decision
  } catch (error) {
    if (error instanceof Refusal) return { refused: error }
    throw error
  }
}

function endOf<Change, Answer>(
  decision: RequestOutcome<Change, Answer>,
  outcomes: ReadonlyMap<Operation, PostingOutcome | undefined>,
): RequestResult<Change, Answer> | SeparateRequest<Change, Answer> | RefusedRequest {
  if (!('end' in decision)) return decision
  const outcome = decision.operation && outcomes.get(decision.operation)
  try {
    return decision.end(outcome)
  } catch (error) {
    // A refusal after a new booking rolls the batch back, and each request is then decided alone.
    if (!(error instanceof Refusal) || (outcome?.ok === true && !outcome.booked.replayed)) throw error
    return { refused: error }
  }
}
