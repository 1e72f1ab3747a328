import type { Transaction } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool } from 'pg'
import { Refusal } from '#contract/errors.ts'
import { type BatchPlan, planBatch } from '#server/ledger/batch.ts'
import type { Ceilings } from '#server/ledger/decide.ts'
import { inPipelined } from '#server/ledger/pipelined.ts'
import type { QueueMeasures } from '#server/ledger/measures.ts'
import { apartFromRequests, currentSpan, forWhomThisIs, inBatch, inSpan } from '#server/platform/telemetry/trace.ts'
import { settle } from '#server/ledger/settle.ts'
import type { Apart, Ended, Operation, Outcome, Ride, RiderKind, Riders } from '#server/ledger/types.ts'
import { validate } from '#server/ledger/validate.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { transactionOn } from '#server/platform/db/transaction-on.ts'

export type RidersWriter = {
  pool: Pool
  ceilings: Ceilings
  onCommitted: (holderIds: string[]) => void
  measured: QueueMeasures
}

/** The most requests that share a commit. */
const BATCH = 128
/** Fewer than this are better off together in the next batch than in one of their own while another is committed. */
const MIN_FOR_SECOND_BATCH = 64

/** How many riders are done each alone at a time, of all batches: the other connections are the next batches'. */
const ALONE = 2

type Waiting<Asked, Answer> = {
  asked: Asked
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
  /** Does what belongs to it and to nobody else of its batch. */
  forThem: ReturnType<typeof forWhomThisIs>
  span: ReturnType<typeof currentSpan>
}

/** Requests of one kind wait here for the batch that is being decided; `idle` resolves once none is left. */
export function openRiders<Asked, Found, Change, Answer>(
  kind: RiderKind<Asked, Found, Change, Answer>,
  writer: RidersWriter,
): { ride: Riders<Asked, Answer>; waiting(): number; idle(): Promise<void> } {
  type Rider = Waiting<Asked, Answer>
  const queue: Rider[] = []
  const underWay = new Set<Promise<void>>()
  /** The names of riders under way: who shares one waits for them. */
  const named = new Set<string>()
  /** Batches under way; those whose riders are done each alone are none any more. */
  let batches = 0
  /** Of these, those that are not on their way to the disk yet. */
  let deciding = 0
  let scheduled = false
  const alone = pLimit(ALONE)
  const namesOf = ({ asked }: Rider): readonly string[] => kind.namesOf(asked)
  const place = ({ asked }: Rider): number => (kind.isFirst?.(asked) === true ? 0 : 1)

  function begin(): void {
    scheduled = false
    const batch = takeBatch(queue, namesOf, named).toSorted((a, b) => place(a) - place(b))
    if (batch.length === 0) return
    const working = work(batch).finally(() => underWay.delete(working))
    underWay.add(working)
  }

  /** Later in this turn, so that all who ask in the same turn share a batch. */
  function schedule(): void {
    if (scheduled || deciding > 0 || queue.length === 0) return
    if (batches > 0 && queue.length < MIN_FOR_SECOND_BATCH) return
    scheduled = true
    setImmediate(() => apartFromRequests(begin))
  }

  const wait = (asked: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      queue.push({ asked, resolve, reject, forThem: forWhomThisIs(), span: currentSpan() })
      schedule()
    })

  async function work(batch: readonly Rider[]): Promise<void> {
    const free = (riders: readonly Rider[]): void => {
      for (const name of riders.flatMap(namesOf)) named.delete(name)
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
    ride: (asked) => inSpan('ledger.ride', {}, () => wait(asked)),
    waiting: () => queue.length,
    async idle() {
      while (queue.length > 0 || underWay.size > 0) {
        await (underWay.size > 0 ? Promise.all(underWay) : new Promise((resolve) => setImmediate(resolve)))
      }
    },
  }
}

type BatchHooks<Rider> = {
  alone: LimitFunction
  decided(): void
  /** Told where some are done each alone from now on. */
  parted(): void
  /** Lets others begin who share a name with these. */
  free(riders: readonly Rider[]): void
}

/** Commits a batch, and apart from it what needs more, until each has its answer. */
async function commitBatch<Asked, Found, Change, Answer>(
  kind: RiderKind<Asked, Found, Change, Answer>,
  writer: RidersWriter,
  batch: readonly Waiting<Asked, Answer>[],
  { decided, parted, free, alone }: BatchHooks<Waiting<Asked, Answer>>,
): Promise<void> {
  type Rider = Waiting<Asked, Answer>
  /** Of every try: what a lost connection cut off may have been committed. */
  const changed = new Set<string>()
  const tell = (): void => {
    if (changed.size > 0) writer.onCommitted([...changed])
    changed.clear()
  }
  let unfinished = batch
  const commit = async (riders: readonly Rider[]): Promise<void> => {
    const spans = riders.map(({ span }) => span)
    const apart = await inBatch('ledger.batch', spans, () =>
      commitRides(kind, writer, riders, { decided, changed, isAlone: riders !== batch }),
    )
    tell()
    if (apart.length === 0) return
    free(riders.filter((rider) => !apart.includes(rider)))
    unfinished = apart
    parted()
    await Promise.all(apart.map((rider) => alone(() => settle([rider], { ...settling, isPatient: true }))))
  }
  const reject = (rider: Rider, reason: unknown): void => rider.reject(reason)
  const settling = { commit, reject, parted, alone, again: writer.measured.again }
  await settle(batch, settling)
  tell()
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

/** Takes off the queue what shares no name, also with those under way. The rest keeps its order, and so does what shares a name with it. */
function takeBatch<Item>(
  queue: Item[],
  namesOf: (item: Item) => readonly string[],
  underWay: ReadonlySet<string>,
): Item[] {
  const taken = new Set(underWay)
  const batch: Item[] = []
  const left: Item[] = []
  for (const item of queue) {
    const names = namesOf(item)
    const fits = batch.length < BATCH && !names.some((name) => taken.has(name))
    for (const name of names) taken.add(name)
    if (fits) batch.push(item)
    else left.push(item)
  }
  queue.splice(0, queue.length, ...left)
  return batch
}

type Refused = { refused: Refusal }
type Decided<Change, Answer> = Ride<Change, Answer> | Apart<Change, Answer> | Refused

/** `isAlone`: it has left its batch, and may take as long as it needs. */
type CommitHooks = { decided: () => void; changed: Set<string>; isAlone: boolean }

/** Decides a batch, commits what is new, and only then answers. Hands back those that have to be done apart. */
async function commitRides<Asked, Found, Change, Answer>(
  kind: RiderKind<Asked, Found, Change, Answer>,
  { pool, ceilings, measured }: RidersWriter,
  riders: readonly Waiting<Asked, Answer>[],
  { decided, changed, isAlone }: CommitHooks,
): Promise<Waiting<Asked, Answer>[]> {
  const done = await inPipelined(pool, async ({ client, execute, begun, commit }) => {
    const { trx, end } = transactionOn(client)
    const timed = measured.begin(riders.length)
    try {
      const asked = riders.map((rider) => rider.asked)
      const [found] = await Promise.all([kind.read(trx, asked), begun])
      const rides = await Promise.all(
        riders.map((rider) => rider.forThem(() => decide(kind, found, rider.asked, isAlone ? trx : null))),
      )
      const operations = rides.flatMap((ride) => ('end' in ride && ride.operation ? [ride.operation] : []))
      const plan =
        operations.length > 0 ? await planBatch(execute, operations, { ceilings, remembers: false }) : NOTHING
      const outcomes = new Map(operations.map((operation, index) => [operation, plan.outcomes[index]]))
      const ended = rides.map((ride) => endOf(ride, outcomes))
      // It may have booked something before.
      if (isAlone) for (const one of ended) if ('refused' in one) throw one.refused
      for (const holderId of plan.holderIds) changed.add(holderId)
      const changes = ended.flatMap((one) => ('change' in one && one.change !== undefined ? [one.change] : []))
      const finishing = ended.flatMap((one, index) => {
        const finish = 'finish' in one ? one.finish : undefined
        return finish ? [async () => riders[index]?.forThem(() => finish(trx))] : []
      })
      const writes = changes.length > 0 ? (kind.write?.(changes, found) ?? []) : []
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
  for (const [index, { resolve, reject }] of riders.entries()) {
    const one = done.ended[index]
    if (one && 'answer' in one) resolve(one.answer)
    else if (one && 'refused' in one) reject(one.refused)
  }
  if (done.changes.length > 0) kind.committed?.(done.changes)
  return riders.filter((_, index) => 'apart' in (done.ended[index] ?? {}))
}

const NOTHING: BatchPlan = { outcomes: [], write: null, holderIds: [] }

/** `alone` is the SQL transaction of one that has left its batch. */
async function decide<Asked, Found, Change, Answer>(
  kind: RiderKind<Asked, Found, Change, Answer>,
  found: Found,
  asked: Asked,
  alone: Transaction<Database> | null,
): Promise<Decided<Change, Answer>> {
  try {
    const decided = kind.decide(found, asked)
    const ride = alone && 'apart' in decided ? await decided.apart(alone) : decided
    if ('operation' in ride && ride.operation) validate(ride.operation)
    return ride
  } catch (error) {
    if (error instanceof Refusal) return { refused: error }
    throw error
  }
}

function endOf<Change, Answer>(
  ride: Decided<Change, Answer>,
  outcomes: ReadonlyMap<Operation, Outcome | undefined>,
): Ended<Change, Answer> | Apart<Change, Answer> | Refused {
  if (!('end' in ride)) return ride
  const outcome = ride.operation && outcomes.get(ride.operation)
  try {
    return ride.end(outcome)
  } catch (error) {
    // What is refused must not have been booked: the batch is given up then, and each decided alone.
    if (!(error instanceof Refusal) || (outcome?.ok === true && !outcome.booked.replayed)) throw error
    return { refused: error }
  }
}
