import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import { overloadedRefusal } from '#server/platform/concurrency.ts'

/**
 * The time for which a server relies on the date that it read last, in milliseconds. If other servers run on the same database,
 * a server waits for at least this time before it begins to move the date.
 */
export const TRUSTED_MS = 2_000
/** The longest wait of a customer's request for the date to arrive, in milliseconds. */
export const REQUESTS_WAIT_MS = 10_000
/** The longest wait of a webhook for the date to arrive, in milliseconds. Its sender repeats a refused webhook. */
export const HOOKS_WAIT_MS = 2_000
const LOOK_MS = 25
/**
 * The age from which the date is read again in the background, in milliseconds, so that no request of a busy bank waits for the
 * database.
 */
const REREAD_MS = 1_000
/** The longest wait of a read-only request for an outdated date, in milliseconds. */
const SHOWN_WITHIN_MS = 100

/** Delays requests while the business date moves, so that none is recorded on a day that the date only passes. */
export type DateGate = {
  /**
   * Does work that takes its date from the clock, once the date has arrived at its destination (date-walk.ts). Throws Refusal
   * `unavailable` if the date does not arrive within `withinMs`, and in a restored bank that holds changes back.
   */
  pass<Result>(work: () => Promise<Result>, withinMs: number): Promise<Result>
  /**
   * Updates the clock for a read-only request. Waits for at most `SHOWN_WITHIN_MS`, and never for the arrival of a moving date.
   */
  look(): Promise<void>
  /** Resolves once no work of `pass` is in progress, or after `withinMs`. */
  idle(withinMs: number): Promise<void>
}

/** Opens the gate. `isHeld`: whether a restored bank holds changes back until its operator releases them. */
export function openDateGate(clock: Clock, isHeld = () => false): DateGate {
  let passingCount = 0
  let currentRead: Promise<void> | null = null
  const readDate = () => (currentRead ??= clock.refresh().finally(() => (currentRead = null)))
  const readQuietly = () => readDate().catch(() => undefined)
  /**
   * Reads the date again in the background if it is older than `REREAD_MS`. Only requests cause this, so an idle bank does not
   * read the date.
   */
  const rereadSoon = (): void => {
    if (clock.readAgoMs() > REREAD_MS) void readQuietly()
  }
  const settleDate = async (withinMs: number): Promise<void> => {
    const until = performance.now() + withinMs
    if (clock.readAgoMs() > TRUSTED_MS) await readDate()
    else rereadSoon()
    while (clock.movingTo()) {
      if (performance.now() > until) throw overloadedRefusal()
      await sleep(LOOK_MS)
      await readDate()
    }
  }
  return {
    pass: async (work, withinMs) => {
      if (isHeld()) throw overloadedRefusal()
      await settleDate(withinMs)
      passingCount += 1
      try {
        return await work()
      } finally {
        passingCount -= 1
      }
    },
    look: async () => {
      if (clock.readAgoMs() > TRUSTED_MS) {
        await Promise.race([readQuietly(), sleep(SHOWN_WITHIN_MS, undefined, { ref: false })])
      } else rereadSoon()
    },
    idle: async (withinMs) => {
      const until = performance.now() + withinMs
      while (passingCount > 0 && performance.now() < until) await sleep(LOOK_MS)
    },
  }
}
