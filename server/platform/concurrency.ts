import pLimit, { type LimitFunction } from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/** `makeRoom` tells it to end early; null under a limit that asks nobody to. */
type Work<Result> = (makeRoom: AbortSignal | null) => Promise<Result>

/** Does work once there is room for it; `key` names who asked. */
export type ConcurrencyLimit = {
  /** `isWanted` is asked when its turn comes: work that nobody waits for any more is not begun. */
  <Result>(key: string, work: Work<Result>, isWanted?: () => boolean): Promise<Result>
  /** How much is done at the same time. */
  running: number
  /** How much is under way or waits, for one key. */
  load(key: string): number
  /** Has one begin at a time, until the answered function is called: something that matters more is under way. */
  stepBack(): () => void
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
  /**
   * How long something may wait for its turn, in milliseconds; as long as it takes unless told. What comes while others have
   * waited for half of that, or will, is refused at once.
   */
  patienceMs?: number
}

/** The cause of refusals that say nothing but that there is too much to do. */
const OVERLOAD = new Error('Too much to do')

const overloaded = (): Refusal => new Refusal('unavailable', undefined, { cause: OVERLOAD })

/** Whether something was refused only because there was too much to do, and so is no trouble to look into. */
export const isOverload = (error: unknown): boolean => error instanceof Refusal && error.cause === OVERLOAD

/** Over so many turns: a moment in which nothing moves is no reason to refuse anybody. */
const AVERAGED = 32

type Turn = { since: number; begin(): void; over: Promise<never> | null; isOver: boolean }

/** Keeps the time of what waits for its turn. */
function openTurns(patienceMs: number | undefined) {
  /** The longest waiting first. */
  const waiting = new Set<Turn>()
  /** How long it takes on average from one turn to the next, while there is one that waits for it. */
  let gapMs = 0
  let lastAt: number | null = null
  const noteTurn = (): void => {
    const now = performance.now()
    if (lastAt !== null) gapMs += (now - lastAt - gapMs) / AVERAGED
    lastAt = waiting.size > 0 ? now : null
  }
  const take = (isInCommonQueue: boolean): Turn => {
    const turn: Turn = { since: performance.now(), begin: () => undefined, over: null, isOver: false }
    if (patienceMs === undefined) return turn
    if (isInCommonQueue) waiting.add(turn)
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      turn.isOver = true
      waiting.delete(turn)
      reject(overloaded())
    }, patienceMs)
    turn.over = promise
    turn.begin = () => {
      clearTimeout(timer)
      waiting.delete(turn)
      noteTurn()
    }
    return turn
  }
  const areLate = (): boolean => {
    const [oldest] = waiting
    if (patienceMs === undefined || !oldest) return false
    return Math.max(performance.now() - oldest.since, waiting.size * gapMs) > patienceMs / 2
  }
  return { take, areLate }
}

/**
 * A concurrency limit with a share for each key: since a key has at most `runningPerKey` in the common queue, a
 * hundred requests at once of one key wait behind each other and not in front of others. It refuses with
 * `too_many_requests` what a key has too many of, and with `unavailable` what all together have, or what waited too long.
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
  const turns = openTurns(options.patienceMs)
  const limit = async <Result>(key: string, work: Work<Result>, isWanted = () => true): Promise<Result> => {
    const own = keys.get(key) ?? { run: pLimit(runningPerKey), load: 0 }
    if (own.load >= runningPerKey + waitingPerKey) {
      throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: 1 })
    }
    const isInCommonQueue = own.load < runningPerKey
    if (isInCommonQueue && (common >= running + waiting || turns.areLate())) throw overloaded()
    keys.set(key, own)
    own.load += 1
    if (isInCommonQueue) common += 1
    const turn = turns.take(isInCommonQueue)
    const begin = (makeRoom: AbortSignal | null): Promise<Result> => {
      turn.begin()
      if (turn.isOver || !isWanted()) throw overloaded()
      return work(makeRoom)
    }
    const inTurn = async (): Promise<Result> => {
      try {
        return await own.run(() => run(async (makeRoom) => begin(makeRoom)))
      } finally {
        own.load -= 1
        if (own.load < runningPerKey) common -= 1
        if (own.load === 0) keys.delete(key)
      }
    }
    // What waited too long keeps its place until its turn comes, so that what waits stays bounded whatever happens.
    return turn.over ? Promise.race([inTurn(), turn.over]) : inTurn()
  }
  let before = 0
  const stepBack = () => {
    before += 1
    all.concurrency = 1
    return () => {
      before -= 1
      if (before === 0) all.concurrency = running
    }
  }
  return Object.assign(limit, { running, load: (key: string) => keys.get(key)?.load ?? 0, stepBack })
}
