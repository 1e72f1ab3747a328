import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { schemaState } from '#server/platform/db/compatibility.ts'
import type { Pools } from '#server/platform/db/pools.ts'
import { runOn } from '#server/platform/db/run.ts'

/** The longest wait for the database's answer, in milliseconds. */
const PATIENCE_MS = 1_000
/**
 * `SOON_MS`: the longest wait of a request that can get an earlier result. `REMEMBERED_MS`: the greatest age of that result.
 * Both are in milliseconds.
 */
const SOON_MS = 40
const REMEMBERED_MS = 5_000
/**
 * `WATCH_MS`: the interval at which the server queries the database by itself, so that a load balancer always gets a recent
 * result. `ASKED_MS`: if no health check came for this time, the server stops these queries. The next health check then waits
 * for the database. Both are in milliseconds.
 */
const WATCH_MS = 2_000
export const ASKED_MS = 60_000

/** Whether the bank can serve, according to the database's last answer. */
export type Readiness = {
  /** Queries the database on a separate connection. Concurrent callers share the result. */
  look(): Promise<boolean>
  /** Returns the result of a query. If the database does not answer within a moment, returns the earlier result. */
  now(): Promise<boolean>
  /** Queries the database again after something may have changed. */
  lookAnew(): Promise<void>
  /**
   * Queries the database in three cases: `now` was called recently, this version could not serve the database, or migrations
   * may have changed it since the last answer.
   */
  keepUp(): void
  /** Returns the reason why this version cannot serve the database, from the last query; null if it can. */
  outdated(): string | null
  /** Calls `listener` when the result of `outdated` changes. */
  onOutdated(listener: (reason: string | null) => void): void
  /** Makes the bank not ready from now on, because it is about to stop. Returns whether `now` was called recently. */
  leave(): boolean
}

export function openReadiness(deps: { pools: Pools }): Readiness {
  let last: { ready: boolean; at: number } | null = null
  let currentLook: Promise<boolean> | null = null
  let askedAt = -Infinity
  let isLeaving = false
  const isAsked = () => performance.now() - askedAt < ASKED_MS
  let outdated: string | null = null
  /** Whether migrations are coming or have run, and have not been read yet. */
  let isUnread = false
  const listeners: ((reason: string | null) => void)[] = []
  const learn = (reason: string | null): void => {
    isUnread = false
    if (reason === outdated) return
    outdated = reason
    for (const listener of listeners) listener(reason)
  }
  const look = (): Promise<boolean> =>
    (currentLook ??= isReady(deps, { was: outdated, learn })
      .then((ready) => {
        last = { ready, at: performance.now() }
        return ready
      })
      .finally(() => (currentLook = null)))
  const now = async (): Promise<boolean> => {
    askedAt = performance.now()
    if (isLeaving) return false
    const lookPromise = look()
    if (!last || performance.now() - last.at > REMEMBERED_MS) return lookPromise
    const { ready } = last
    return Promise.race([lookPromise, wait(SOON_MS, ready, { ref: false })])
  }
  const lookAnew = async (): Promise<void> => {
    // A query in progress may have read the earlier state.
    await currentLook
    isUnread = true
    await look()
  }
  const keepUp = (): void => {
    if ((isAsked() && !isLeaving) || outdated !== null || isUnread) void look()
  }
  const leave = (): boolean => {
    isLeaving = true
    return isAsked()
  }
  return {
    look,
    now,
    lookAnew,
    keepUp,
    leave,
    outdated: () => outdated,
    onOutdated: (listener) => void listeners.push(listener),
  }
}

type ServedVersion = { was: string | null; learn(outdated: string | null): void }

async function isReady({ pools }: { pools: Pools }, { was, learn }: ServedVersion): Promise<boolean> {
  const readState = () => schemaState(runOn(pools.health.pool))
  const giveUp = new AbortController()
  const answer = readState().then(async (state) => {
    // The query reads the finished migrations before the announced ones. Migrations that finished in between are in neither
    // list. So the query is repeated if the reason has disappeared.
    const { pending, outdated } = was !== null && state.outdated === null ? await readState() : state
    learn(outdated)
    return pending.length === 0 && outdated === null
  })
  // Answers that arrived within the time are processed first: the delay may have been in this process and not in the database.
  const lateAnswer = wait(PATIENCE_MS, false, { signal: giveUp.signal, ref: false }).then(() => turn(false))
  try {
    return await Promise.race([answer, lateAnswer])
  } catch {
    return false
  } finally {
    giveUp.abort()
    // The promise that loses the race may fail later. That error is ignored.
    answer.catch(() => undefined)
    lateAnswer.catch(() => undefined)
  }
}

/** Queries the database at intervals for the callers of `now`, until the returned function is called. */
export function watchReadiness({ readiness }: { readiness: Readiness }): () => Promise<void> {
  const timer = setInterval(() => readiness.keepUp(), WATCH_MS)
  void readiness.look()
  return async () => clearInterval(timer)
}
