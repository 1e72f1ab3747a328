/** The pause between a change to jobs and the query for the next one, in milliseconds. Many changes share a query. */
const SOON_MS = 200
/**
 * The pause before the next query, in milliseconds, in three cases: the database does not answer, the database does not notify
 * this server of new jobs, or the latest change may not be committed yet.
 */
const RETRY_MS = 1_000
/**
 * The interval between two queries without changes, in milliseconds. It is the longest delay of a job whose time was changed
 * without a notification.
 */
export const REST_MS = 4_000

type AlarmOptions = {
  /** Returns the time until the next job is due, in milliseconds; zero or less if one is due, null if none waits. */
  look(): Promise<number | null>
  /** Makes workers look for jobs. */
  wake(): void
  /** Returns whether the server is notified of all new jobs. */
  hears(): boolean
}

export type Alarm = {
  /** Reports a change that may have affected the next job. */
  soon(): void
  stop(): void
}

/** Wakes workers when a job is due. Otherwise each worker would have to query the database every second. */
export function setAlarm({ look, wake, hears }: AlarmOptions): Alarm {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Infinity
  let isLooking = false
  let isStirred = false
  let isStopped = false
  const ringIn = (ms: number): void => {
    const newRingsAt = performance.now() + ms
    if (isStopped || newRingsAt >= ringsAt) return
    clearTimeout(timer)
    ringsAt = newRingsAt
    timer = setTimeout(() => void ring(), ms)
  }
  const ring = async (): Promise<void> => {
    ringsAt = Infinity
    isLooking = true
    const restMs = await pause()
    isLooking = false
    ringIn(isStirred ? SOON_MS : restMs)
  }
  const pause = async (): Promise<number> => {
    const isSure = !isStirred && hears()
    isStirred = false
    try {
      const dueMs = await look()
      if (isStopped) return REST_MS
      if (dueMs !== null && dueMs <= 0) wake()
      const restMs = isSure ? REST_MS : RETRY_MS
      if (dueMs === null) return restMs
      // A job stays due while all workers are busy or the job is locked for a moment.
      return dueMs <= 0 ? SOON_MS : Math.min(Math.ceil(dueMs), restMs)
    } catch {
      // The error is ignored here, because other code reports an unavailable database.
      return RETRY_MS
    }
  }
  ringIn(SOON_MS)
  return {
    soon: () => {
      isStirred = true
      if (!isLooking) ringIn(SOON_MS)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
