import type { Pool, PoolClient } from 'pg'
import { Refusal } from '#contract/errors.ts'
import { openPool } from '#server/platform/db/pool.ts'
import {
  backOff,
  errorCode,
  isTransient,
  isUnavailable,
  isUniqueViolation,
  type Run,
  runOn,
} from '#server/platform/db/run.ts'
import type { Ceilings } from '#server/ledger/decide.ts'
import { planBatch } from '#server/ledger/batch.ts'
import { fetchBooked } from '#server/ledger/booked.ts'
import { executeIn, executeOn } from '#server/ledger/execute.ts'
import { accountsNamed, shareOut } from '#server/ledger/lanes.ts'
import { findKnown, rememberRefusal } from '#server/ledger/refusals.ts'
import type { AccountId, Booked, Ledger, Operation, Outcome } from '#server/ledger/types.ts'
import { validate } from '#server/ledger/validate.ts'

type Task = { operations: Operation[]; resolve: (outcomes: Outcome[]) => void; reject: (reason: unknown) => void }

export type LedgerOptions = {
  /** The serving role's database. */
  url: string
  /** How many batches may be under way at once, each on a connection of its own: one commits while another is decided. */
  lanes?: number
  /** The most operations that share a commit. */
  batchSize?: number
  /** What a customer's account may hold at most; without one, what a number holds exactly. */
  ceilings?: Ceilings
}

/** Fewer waiting posts than this are better off together in the next batch than in a second lane now. */
const WORTH_A_LANE = 64
/** How long a second lane waits for company, in milliseconds. */
const PATIENCE_MS = 20
/** Somebody else holds a lock: lock_not_available, or query_canceled by the statement's time limit. */
const LOCKED = new Set(['55P03', '57014'])
const TRIES = 6
/** Posts hold locks for milliseconds. Whoever holds one this long is stuck, and the rest of a batch shall not wait for it. */
const LOCK_TIMEOUT_MS = 1_000

/**
 * Opens the ledger. Concurrent callers share commits: while one batch is being written the next one gathers, so the
 * busier the bank is, the more transfers each fsync carries.
 */
export function createLedger({ url, lanes = 2, batchSize = 512, ceilings = {} }: LedgerOptions): Ledger {
  const pool = openPool(url, { max: lanes, pipeline: true, name: 'alder ledger', lockTimeoutMs: LOCK_TIMEOUT_MS })
  const desk = openDesk(pool, lanes, batchSize, ceilings)

  function postAll(operations: Operation[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      for (const operation of operations) validate(operation)
      desk.add({ operations, resolve, reject })
    })
  }

  return {
    postAll,
    async post(operation) {
      const [outcome] = await postAll([operation])
      return bookedOrThrow(outcome)
    },
    async postWithin(run, operations) {
      for (const operation of operations) validate(operation)
      return postWithin(run, operations, ceilings)
    },
    find: (operationId, fingerprint) => find(pool, operationId, fingerprint),
    remember: (refused, refusal) => rememberRefusal(runOn(pool), refused, refusal),
    async close() {
      await desk.idle()
      await pool.end()
    },
  }
}

type Desk = { add(task: Task): void; idle(): Promise<void> }

/** Gathers tasks and gives them to the lanes. */
function openDesk(pool: Pool, lanes: number, batchSize: number, ceilings: Ceilings): Desk {
  const queue: Task[] = []
  /** The accounts of batches being decided. Once a batch is on its way to the disk, the next may wait for its locks. */
  const deciding = new Set<Set<AccountId>>()
  let running = 0
  let scheduled = false
  let patience: NodeJS.Timeout | null = null
  let impatient = false
  let onIdle: (() => void) | null = null

  /** Later in this turn, so that all who post in the same turn, or were just answered and post again, share a batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      pump()
    })
  }

  function pump(): void {
    if (running > 0 && queue.length < WORTH_A_LANE && !impatient) {
      // Unless the batch under way takes unusually long: nobody waits for an account that is not theirs.
      patience ??= setTimeout(() => {
        patience = null
        impatient = true
        pump()
      }, PATIENCE_MS)
      return
    }
    impatient = false
    for (const tasks of shareOut(queue, deciding, lanes - running, batchSize)) {
      const accounts = accountsNamed({ operations: tasks.flatMap((task) => task.operations) })
      const decided = (): void => {
        if (deciding.delete(accounts) && queue.length > 0) schedule()
      }
      deciding.add(accounts)
      running += 1
      void settle(pool, tasks, decided, ceilings).finally(() => {
        running -= 1
        decided()
        if (queue.length > 0) schedule()
        else if (running === 0) onIdle?.()
      })
    }
  }

  return {
    add(task) {
      queue.push(task)
      schedule()
    },
    async idle() {
      if (running === 0 && queue.length === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
  }
}

/** Runs a batch until every task in it has its answer, and tells when it is decided; never rejects. */
async function settle(pool: Pool, tasks: Task[], decided: () => void, ceilings: Ceilings): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcomes = await commitBatch(
        pool,
        tasks.flatMap((task) => task.operations),
        decided,
        ceilings,
      )
      let start = 0
      for (const task of tasks) {
        task.resolve(outcomes.slice(start, start + task.operations.length))
        start += task.operations.length
      }
      return
    } catch (error) {
      // A unique violation is the same id posted elsewhere in the same instant: the next try finds it.
      const passing = isTransient(error) || isUniqueViolation(error)
      const locked = LOCKED.has(errorCode(error) ?? '')
      // A lost connection leaves open whether the commit was done; ids make asking again safe.
      if ((passing || isUnavailable(error)) && !locked && attempt < TRIES) await backOff(attempt)
      else if (tasks.length > 1 && (locked || !isUnavailable(error))) {
        // One of them is more than the database can take, or waits for a lock. Alone, each answers for itself.
        await Promise.all(tasks.map((task) => settle(pool, [task], decided, ceilings)))
        return
      } else {
        const down = passing || isUnavailable(error)
        const reason = down ? new Refusal('unavailable', undefined, { cause: error }) : error
        for (const task of tasks) task.reject(reason)
        return
      }
    }
  }
}

async function commitBatch(
  pool: Pool,
  operations: Operation[],
  decided: () => void,
  ceilings: Ceilings,
): Promise<Outcome[]> {
  const client: PoolClient = await pool.connect()
  let broken: Error | undefined
  try {
    const execute = executeOn(client)
    const begun = execute({ text: 'BEGIN' })
    const [plan] = await Promise.all([planBatch(execute, operations, ceilings), begun])
    const written = execute(...(plan.write ? [plan.write] : []), { text: 'COMMIT' })
    decided()
    await written
    return plan.outcomes
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: Error) => {
      broken = reason
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function postWithin(run: Run, operations: Operation[], ceilings: Ceilings): Promise<Booked[]> {
  const execute = executeIn(run)
  const plan = await planBatch(execute, operations, ceilings)
  const booked = plan.outcomes.map(bookedOrThrow)
  if (plan.write) await execute(plan.write)
  return booked
}

function bookedOrThrow(outcome: Outcome | undefined): Booked {
  if (!outcome) throw new Error('The ledger gave no answer')
  if (!outcome.ok) throw new Refusal(outcome.refusal)
  return outcome.booked
}

async function find(pool: Pool, operationId: string, fingerprint: string): Promise<Booked | null> {
  const known = await findKnown(runOn(pool), operationId)
  if (!known) return null
  if (known.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused')
  if (known.refusal) throw new Refusal(known.refusal)
  const booked = await fetchBooked(executeOn(pool), [operationId])
  return booked.get(operationId) ?? null
}
