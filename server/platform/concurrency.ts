import pLimit, { type LimitFunction } from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/** `makeRoom` tells it to end early; null under a limit that asks nobody to. */
type Work<Result> = (makeRoom: AbortSignal | null) => Promise<Result>

/** Does work once there is room for it; `key` names who asked. */
export type ConcurrencyLimit = {
  <Result>(key: string, work: Work<Result>): Promise<Result>
  /** How much is under way or waits, for one key. */
  load(key: string): number
}

export type ConcurrencyOptions = {
  /** How much is done at the same time. */
  running: number
  /** How much may wait for that, of all keys together, not counting what waits behind its own. */
  waiting: number
  /** How much of it one key may have done at the same time; the rest of what it asks waits behind its own. */
  runningPerKey: number
  /** How much one key may have waiting. */
  waitingPerKey: number
  /** Whether what has run longest is told to end where another waits for room. */
  oldestMakesRoom?: boolean
}

/**
 * A concurrency limit with a share for each key: since a key has at most `runningPerKey` in the common queue, a
 * hundred requests at once of one key wait behind each other and not in front of others. It refuses with
 * `too_many_requests` what a key has too many of, and with `unavailable` what all together have.
 */
export function limitConcurrency(options: ConcurrencyOptions): ConcurrencyLimit {
  const { running, waiting, runningPerKey, waitingPerKey } = options
  const all = pLimit(running)
  /** What runs and was not told to end, the oldest first. */
  const underWay = new Set<AbortController>()
  const run = <Result>(work: Work<Result>): Promise<Result> => {
    if (!options.oldestMakesRoom) return all(() => work(null))
    const [oldest] = underWay
    if (oldest && all.activeCount + all.pendingCount >= running) {
      underWay.delete(oldest)
      oldest.abort()
    }
    return all(async () => {
      const own = new AbortController()
      underWay.add(own)
      try {
        return await work(own.signal)
      } finally {
        underWay.delete(own)
      }
    })
  }
  const keys = new Map<string, { run: LimitFunction; load: number }>()
  /** What is in the common queue: of each key no more than it may have done at the same time. */
  let common = 0
  const limit = async <Result>(key: string, work: Work<Result>): Promise<Result> => {
    const own = keys.get(key) ?? { run: pLimit(runningPerKey), load: 0 }
    if (own.load >= runningPerKey + waitingPerKey) {
      throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: 1 })
    }
    if (common >= running + waiting && own.load < runningPerKey) throw new Refusal('unavailable')
    keys.set(key, own)
    own.load += 1
    if (own.load <= runningPerKey) common += 1
    try {
      return await own.run(() => run(work))
    } finally {
      own.load -= 1
      if (own.load < runningPerKey) common -= 1
      if (own.load === 0) keys.delete(key)
    }
  }
  return Object.assign(limit, { load: (key: string) => keys.get(key)?.load ?? 0 })
}
