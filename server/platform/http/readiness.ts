import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { schemaState } from '#server/platform/db/compatibility.ts'
import type { Pools } from '#server/platform/db/pools.ts'
import { runOn } from '#server/platform/db/run.ts'

/** How long the database has to answer, in milliseconds. */
const PATIENCE_MS = 1_000
/** How long a request waits for that, where there is an earlier result to answer with, and how old that may be. */
const SOON_MS = 40
const REMEMBERED_MS = 5_000
/**
 * How often the database is asked by itself, so that there always is such a result for a balancer. Whoever asks less than once
 * in `ASKED_MS` waits for the database instead. Milliseconds.
 */
const WATCH_MS = 2_000
export const ASKED_MS = 60_000

/** Whether the bank can serve, as the database last said. */
export type Readiness = {
  /** Asks the database, on a connection of its own; those who ask meanwhile share the result. */
  look(): Promise<boolean>
  /** The same within a moment: where the database takes longer, what it said before. */
  now(): Promise<boolean>
  /** Asks the database anew, because of what may have changed this moment. */
  lookAnew(): Promise<void>
  /** Asks the database if somebody has asked for `now` lately, or this version could not serve it. */
  keepUp(): void
  /** Why this version cannot serve the database, as it last said; null where it can. */
  outdated(): string | null
  /** Calls `listener` where that changes. */
  onOutdated(listener: (reason: string | null) => void): void
  /** From now on the bank is not ready, because it is about to stop. Answers whether somebody has asked for `now` lately. */
  leave(): boolean
}

export function openReadiness(deps: { pools: Pools }): Readiness {
  let last: { ready: boolean; at: number } | null = null
  let looking: Promise<boolean> | null = null
  let askedAt = -Infinity
  let leaving = false
  const isAsked = () => performance.now() - askedAt < ASKED_MS
  let outdated: string | null = null
  /** Whether migrations are coming, or have run, and it has not been read yet which. */
  let isUnread = false
  const listeners: ((reason: string | null) => void)[] = []
  const learn = (reason: string | null): void => {
    isUnread = false
    if (reason === outdated) return
    outdated = reason
    for (const listener of listeners) listener(reason)
  }
  const look = (): Promise<boolean> =>
    (looking ??= isReady(deps, { was: outdated, learn })
      .then((ready) => {
        last = { ready, at: performance.now() }
        return ready
      })
      .finally(() => (looking = null)))
  const now = async (): Promise<boolean> => {
    askedAt = performance.now()
    if (leaving) return false
    const looked = look()
    if (!last || performance.now() - last.at > REMEMBERED_MS) return looked
    const { ready } = last
    return Promise.race([looked, wait(SOON_MS, ready, { ref: false })])
  }
  const lookAnew = async (): Promise<void> => {
    // One that is under way may have read what was there before.
    await looking
    isUnread = true
    await look()
  }
  const keepUp = (): void => {
    if ((isAsked() && !leaving) || outdated !== null || isUnread) void look()
  }
  const leave = (): boolean => {
    leaving = true
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

type Known = { was: string | null; learn(outdated: string | null): void }

async function isReady({ pools }: { pools: Pools }, { was, learn }: Known): Promise<boolean> {
  const read = () => schemaState(runOn(pools.health.pool))
  const giveUp = new AbortController()
  const answer = read().then(async (state) => {
    // What was coming may have run after the migrations were read and before it was looked for: only then are both read anew.
    const { pending, outdated } = was !== null && state.outdated === null ? await read() : state
    learn(outdated)
    return pending.length === 0 && outdated === null
  })
  // What has arrived by then is read first: where this process was held up, it is not the database that was late.
  const late = wait(PATIENCE_MS, false, { signal: giveUp.signal, ref: false }).then(() => turn(false))
  try {
    return await Promise.race([answer, late])
  } catch {
    return false
  } finally {
    giveUp.abort()
    // The loser of the race is ignored.
    answer.catch(() => undefined)
    late.catch(() => undefined)
  }
}

/** Keeps asking the database for those who ask the bank, until the answered function is called. */
export function watchReadiness({ readiness }: { readiness: Readiness }): () => Promise<void> {
  const timer = setInterval(() => readiness.keepUp(), WATCH_MS)
  void readiness.look()
  return async () => clearInterval(timer)
}
