/** How soon after something happened to jobs they are looked at, in milliseconds: many things share a look. */
const SOON_MS = 200
/**
 * How soon it is looked again where the database does not answer, does not say when jobs are added, or may not have committed yet
 * what happened, in milliseconds.
 */
const RETRY_MS = 1_000
/**
 * How often jobs are looked at where nothing happens, in milliseconds. A job whose moment was changed without a word is found
 * this late.
 */
export const REST_MS = 4_000

type AlarmOptions = {
  /** Answers in how many milliseconds the next job is due, zero or less where one is; null where none waits. */
  look(): Promise<number | null>
  /** Has workers look for jobs. */
  wake(): void
  /** Whether all that is added is heard of. */
  hears(): boolean
}

export type Alarm = {
  /** Something happened that may have changed which job is the next. */
  soon(): void
  stop(): void
}

/**
 * Wakes workers at the moment at which a job is due. Else each of them would have to ask once a second, as long as the
 * bank stands, whether one is.
 */
export function setAlarm({ look, wake, hears }: AlarmOptions): Alarm {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Infinity
  let looking = false
  let stirred = false
  let stopped = false
  const ringIn = (ms: number): void => {
    const at = performance.now() + ms
    if (stopped || at >= ringsAt) return
    clearTimeout(timer)
    ringsAt = at
    timer = setTimeout(() => void ring(), ms)
  }
  const ring = async (): Promise<void> => {
    ringsAt = Infinity
    looking = true
    const restMs = await pause()
    looking = false
    ringIn(stirred ? SOON_MS : restMs)
  }
  const pause = async (): Promise<number> => {
    const isSure = !stirred && hears()
    stirred = false
    try {
      const dueMs = await look()
      if (stopped) return REST_MS
      if (dueMs !== null && dueMs <= 0) wake()
      const restMs = isSure ? REST_MS : RETRY_MS
      if (dueMs === null) return restMs
      // Where all workers are busy, or the job is locked for a moment, it stays due.
      return dueMs <= 0 ? SOON_MS : Math.min(Math.ceil(dueMs), restMs)
    } catch {
      // That the database is away is said elsewhere.
      return RETRY_MS
    }
  }
  ringIn(SOON_MS)
  return {
    soon: () => {
      stirred = true
      if (!looking) ringIn(SOON_MS)
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
