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
  /** How much of all keys is under way, how much waits, and how much was refused so far. */
  counts(): ConcurrencyCounts
  /** Has one begin at a time, until the answered function is called: something that matters more is under way. */
  stepBack(): () => void
}

/** `overloaded`: there was too much to do; `key`: one key asked too much. */
export type ConcurrencyCounts = { running: number; waiting: number; refused: { overloaded: number; key: number } }

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

/** Refuses what there is no room for now. */
export const overloaded = (): Refusal => new Refusal('unavailable', undefined, { cause: OVERLOAD })

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

/** Counts what each key has in the common queue or under way, and keeps what waits behind that for a place there. */
function openKeys(runningPerKey: number, waitingPerKey: number) {
  /** `behind`: the longest waiting first. */
  const keys = new Map<string, { places: number; behind: (() => void)[] }>()
  /** The places that all keys have taken. */
  let taken = 0
  let behindAll = 0
  const load = (key: string): number => {
    const own = keys.get(key)
    return own ? own.places + own.behind.length : 0
  }
  const isFull = (key: string): boolean => load(key) >= runningPerKey + waitingPerKey
  const hasPlace = (key: string): boolean => load(key) < runningPerKey
  const take = (key: string): void => {
    const own = keys.get(key) ?? { places: 0, behind: [] }
    keys.set(key, own)
    own.places += 1
    taken += 1
  }
  const inherit = (key: string): Promise<void> =>
    new Promise((resolve) => {
      behindAll += 1
      keys.get(key)?.behind.push(resolve)
    })
  const leave = (key: string): void => {
    const own = keys.get(key)
    if (!own) return
    const next = own.behind.shift()
    if (next) {
      behindAll -= 1
      return next()
    }
    own.places -= 1
    taken -= 1
    if (own.places === 0) keys.delete(key)
  }
  return { load, isFull, hasPlace, take, inherit, leave, taken: () => taken, behind: () => behindAll }
}

/** Runs work once `all` has room for it; where the oldest makes room, it is told to end. */
function runnerOf(all: LimitFunction, { running, oldestMakesRoom }: ConcurrencyOptions) {
  /** What runs and was not told to end, the oldest first. */
  const underWay = new Set<AbortController>()
  return <Result>(work: Work<Result>): Promise<Result> => {
    if (!oldestMakesRoom) return all(() => work(null))
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
}

/**
 * A concurrency limit with a share for each key: since a key has at most `runningPerKey` in the common queue, a
 * hundred requests at once of one key wait behind each other and not in front of others. It refuses with
 * `too_many_requests` what a key has too many of, and with `unavailable` what all together have, or what waited too long.
 */
export function limitConcurrency(options: ConcurrencyOptions): ConcurrencyLimit {
  const { running, waiting, runningPerKey, waitingPerKey } = options
  const all = pLimit(running)
  const run = runnerOf(all, options)
  const keys = openKeys(runningPerKey, waitingPerKey)
  const turns = openTurns(options.patienceMs)
  const refused = { overloaded: 0, key: 0 }
  /** Answers whether it has a place in the common queue. Throws the Refusal of what has none anywhere. */
  const admit = (key: string): boolean => {
    if (keys.isFull(key)) {
      refused.key += 1
      throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: 1 })
    }
    if (!keys.hasPlace(key)) return false
    if (keys.taken() < running + waiting && !turns.areLate()) return true
    refused.overloaded += 1
    throw overloaded()
  }
  const limit = async <Result>(key: string, work: Work<Result>, isWanted = () => true): Promise<Result> => {
    const hasPlace = admit(key)
    if (hasPlace) keys.take(key)
    const beginsAtOnce = hasPlace && keys.taken() <= all.concurrency
    const turn = beginsAtOnce ? null : turns.take(hasPlace)
    const begin = (makeRoom: AbortSignal | null): Promise<Result> => {
      turn?.begin()
      if (turn?.isOver || !isWanted()) throw overloaded()
      return work(makeRoom)
    }
    const inTurn = async (): Promise<Result> => {
      if (!hasPlace) await keys.inherit(key)
      try {
        return await run(async (makeRoom) => begin(makeRoom))
      } finally {
        keys.leave(key)
      }
    }
    // What waited too long keeps its place until its turn comes, so that what waits stays bounded whatever happens.
    turn?.over?.catch(() => (refused.overloaded += 1))
    return turn?.over ? Promise.race([inTurn(), turn.over]) : inTurn()
  }
  const counts = (): ConcurrencyCounts => ({
    running: all.activeCount,
    waiting: all.pendingCount + keys.behind(),
    refused: { ...refused },
  })
  let before = 0
  const stepBack = () => {
    before += 1
    all.concurrency = 1
    return () => {
      before -= 1
      if (before === 0) all.concurrency = running
    }
  }
  return Object.assign(limit, { running, load: keys.load, counts, stepBack })
}
