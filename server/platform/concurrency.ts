import pLimit, { type LimitFunction } from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/**
 * Work that runs under a limit. `makeRoom` is aborted when the work should end early. It is null under a limit without
 * `oldestMakesRoom`.
 */
type LimitedWork<Result> = (makeRoom: AbortSignal | null) => Promise<Result>

/** Does work once there is room for it. `key` identifies the client. */
export type ConcurrencyLimit = {
  /**
   * `isWanted` is called when the work's turn comes. If it returns false, no client waits for the work any more, and the work
   * is refused.
   */
  <Result>(key: string, work: LimitedWork<Result>, isWanted?: () => boolean): Promise<Result>
  /** The largest number of requests in progress at the same time. */
  running: number
  /** Returns the number of requests of one key that are in progress or waiting. */
  load(key: string): number
  /**
   * Returns the number of running requests, of waiting requests and of requests refused so far. Each number is for all keys
   * together.
   */
  counts(): ConcurrencyCounts
  /**
   * Limits the work to one request at a time, in favor of more important work. The limit ends once the returned function of
   * every call has been called.
   */
  stepBack(): () => void
}

/**
 * The numbers of requests. `refused.overloaded`: refused because of the total load. `refused.key`: refused because one key had
 * too many requests.
 */
export type ConcurrencyCounts = { running: number; waiting: number; refused: { overloaded: number; key: number } }

export type ConcurrencyOptions = {
  /** The largest number of requests in progress at the same time. */
  running: number
  /**
   * The largest number of requests of all keys that wait in the common queue. Requests that wait behind others of their own key
   * do not count.
   */
  waiting: number
  /**
   * The largest number of requests of one key in progress at the same time. Further requests of the key wait until one of these
   * ends.
   */
  runningPerKey: number
  /** The largest number of waiting requests of one key. */
  waitingPerKey: number
  /** Whether the oldest running request is signaled to end when another request waits for room. */
  oldestMakesRoom?: boolean
  /**
   * The longest wait for a turn, in milliseconds; unlimited by default. New requests for the common queue are refused at once
   * while its oldest request has waited for more than half of this time. They are also refused at once while a request at the
   * end of that queue is expected to wait for more than half of this time.
   */
  patienceMs?: number
}

/** The `cause` of a refusal whose only reason is overload. */
const OVERLOAD = new Error('Too much to do')

/** Returns the refusal of a request for which there is no room. */
export const overloadedRefusal = (): Refusal => new Refusal('unavailable', undefined, { cause: OVERLOAD })

/** Returns whether a request was refused for overload alone. Such a refusal needs no investigation. */
export const isOverload = (error: unknown): boolean => error instanceof Refusal && error.cause === OVERLOAD

/**
 * The number of turns over which the time between two turns is averaged. A short pause between two turns must not cause
 * refusals.
 */
const AVERAGED = 32

type WorkTurn = { since: number; begin(): void; over: Promise<never> | null; isOver: boolean }

/** Measures how long requests wait for their turn, and refuses requests that wait for longer than `patienceMs`. */
function openTurns(patienceMs: number | undefined) {
  /** The waiting turns in the common queue, longest wait first. */
  const waitingTurns = new Set<WorkTurn>()
  /** The average time between two turns while a request waits, in milliseconds. */
  let gapMs = 0
  let lastAt: number | null = null
  const noteTurn = (): void => {
    const now = performance.now()
    if (lastAt !== null) gapMs += (now - lastAt - gapMs) / AVERAGED
    lastAt = waitingTurns.size > 0 ? now : null
  }
  const take = (isInCommonQueue: boolean): WorkTurn => {
    const turn: WorkTurn = { since: performance.now(), begin: () => undefined, over: null, isOver: false }
    if (patienceMs === undefined) return turn
    if (isInCommonQueue) waitingTurns.add(turn)
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      turn.isOver = true
      waitingTurns.delete(turn)
      reject(overloadedRefusal())
    }, patienceMs)
    turn.over = promise
    turn.begin = () => {
      clearTimeout(timer)
      waitingTurns.delete(turn)
      noteTurn()
    }
    return turn
  }
  const areLate = (): boolean => {
    const [oldestTurn] = waitingTurns
    if (patienceMs === undefined || !oldestTurn) return false
    return Math.max(performance.now() - oldestTurn.since, waitingTurns.size * gapMs) > patienceMs / 2
  }
  return { take, areLate }
}

/**
 * Counts the places of each key, in the common queue or in progress. If all places of a key are taken, its next requests wait
 * here until one of these places is free.
 */
function openKeys(runningPerKey: number, waitingPerKey: number) {
  /**
   * `behind` contains a function for each request that waits for a place of its key, longest wait first. The function gives the
   * place to the request.
   */
  const keys = new Map<string, { places: number; behind: (() => void)[] }>()
  /** The number of places that all keys have taken. */
  let usedPlaces = 0
  let totalBehind = 0
  const load = (key: string): number => {
    const queue = keys.get(key)
    return queue ? queue.places + queue.behind.length : 0
  }
  const isFull = (key: string): boolean => load(key) >= runningPerKey + waitingPerKey
  const hasPlace = (key: string): boolean => load(key) < runningPerKey
  const take = (key: string): void => {
    const queue = keys.get(key) ?? { places: 0, behind: [] }
    keys.set(key, queue)
    queue.places += 1
    usedPlaces += 1
  }
  const inherit = (key: string): Promise<void> =>
    new Promise((resolve) => {
      totalBehind += 1
      keys.get(key)?.behind.push(resolve)
    })
  const leave = (key: string): void => {
    const queue = keys.get(key)
    if (!queue) return
    const next = queue.behind.shift()
    if (next) {
      totalBehind -= 1
      return next()
    }
    queue.places -= 1
    usedPlaces -= 1
    if (queue.places === 0) keys.delete(key)
  }
  return { load, isFull, hasPlace, take, inherit, leave, taken: () => usedPlaces, behind: () => totalBehind }
}

/**
 * Runs work once `limiter` has room for it. With `oldestMakesRoom`, signals the oldest running work to end if there is no room.
 */
function runnerOf(limiter: LimitFunction, { running, oldestMakesRoom }: ConcurrencyOptions) {
  /** The running work without a signal to end, oldest first. */
  const runningControllers = new Set<AbortController>()
  return <Result>(work: LimitedWork<Result>): Promise<Result> => {
    if (!oldestMakesRoom) return limiter(() => work(null))
    const [oldestController] = runningControllers
    if (oldestController && limiter.activeCount + limiter.pendingCount >= running) {
      runningControllers.delete(oldestController)
      oldestController.abort()
    }
    return limiter(async () => {
      const controller = new AbortController()
      runningControllers.add(controller)
      try {
        return await work(controller.signal)
      } finally {
        runningControllers.delete(controller)
      }
    })
  }
}

/**
 * Creates a concurrency limit with a share for each key. A key has at most `runningPerKey` places in the common queue: a
 * hundred requests of one key wait behind each other and not in front of other keys. The limit refuses with `too_many_requests`
 * if one key has too many requests. It refuses with `unavailable` if all keys together have too many, or a request waited too
 * long.
 */
export function limitConcurrency(options: ConcurrencyOptions): ConcurrencyLimit {
  const { running, waiting, runningPerKey, waitingPerKey } = options
  const limiter = pLimit(running)
  const run = runnerOf(limiter, options)
  const keys = openKeys(runningPerKey, waitingPerKey)
  const turns = openTurns(options.patienceMs)
  const refusedCounts = { overloaded: 0, key: 0 }
  /**
   * Returns whether the request gets a place in the common queue at once. Throws a Refusal if the request may not even wait.
   */
  const admit = (key: string): boolean => {
    if (keys.isFull(key)) {
      refusedCounts.key += 1
      throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: 1 })
    }
    if (!keys.hasPlace(key)) return false
    if (keys.taken() < running + waiting && !turns.areLate()) return true
    refusedCounts.overloaded += 1
    throw overloadedRefusal()
  }
  const limit = async <Result>(key: string, work: LimitedWork<Result>, isWanted = () => true): Promise<Result> => {
    const hasPlace = admit(key)
    if (hasPlace) keys.take(key)
    const beginsAtOnce = hasPlace && keys.taken() <= limiter.concurrency
    const turn = beginsAtOnce ? null : turns.take(hasPlace)
    const begin = (makeRoom: AbortSignal | null): Promise<Result> => {
      turn?.begin()
      if (turn?.isOver || !isWanted()) throw overloadedRefusal()
      return work(makeRoom)
    }
    const runInTurn = async (): Promise<Result> => {
      if (!hasPlace) await keys.inherit(key)
      try {
        return await run(async (makeRoom) => begin(makeRoom))
      } finally {
        keys.leave(key)
      }
    }
    // A request that waited too long keeps its place until its turn comes, so that the number of waiting requests stays
    // bounded.
    turn?.over?.catch(() => (refusedCounts.overloaded += 1))
    return turn?.over ? Promise.race([runInTurn(), turn.over]) : runInTurn()
  }
  const counts = (): ConcurrencyCounts => ({
    running: limiter.activeCount,
    waiting: limiter.pendingCount + keys.behind(),
    refused: { ...refusedCounts },
  })
  let before = 0
  const stepBack = () => {
    before += 1
    limiter.concurrency = 1
    return () => {
      before -= 1
      if (before === 0) limiter.concurrency = running
    }
  }
  return Object.assign(limit, { running, load: keys.load, counts, stepBack })
}
