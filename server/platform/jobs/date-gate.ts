import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import { overloaded } from '#server/platform/concurrency.ts'

/**
 * A server relies on the date that it last read for this many milliseconds. A server that begins to move the date waits as
 * long first, if other servers run on the same database.
 */
export const TRUSTED_MS = 2_000
/** How long a customer's request waits for the date to arrive, in milliseconds. */
export const REQUESTS_WAIT_MS = 10_000
/** How long a webhook waits for the date to arrive, in milliseconds. Its sender sends it again if it is refused. */
export const HOOKS_WAIT_MS = 2_000
const LOOK_MS = 25
/** What was read so long ago, in milliseconds, is read again beside the work, so that no request of a busy bank waits for it. */
const REREAD_MS = 1_000
/** How long what records nothing waits for a date that was read long ago, in milliseconds. */
const SHOWN_WITHIN_MS = 100

/** Holds requests back while the business date moves, so that none is recorded as of a day that the date only passes. */
export type DateGate = {
  /**
   * Does work that takes its date from the clock, once the date has arrived where it is going (date-walk.ts).
   * Throws Refusal `unavailable` if the date has not arrived within so many milliseconds, and in a restored bank that is held.
   */
  pass<Result>(work: () => Promise<Result>, withinMs: number): Promise<Result>
  /** Has the clock know the date, for what only shows it. Waits for a moment at most, and for no date that moves. */
  look(): Promise<void>
  /** Resolves once no work that `pass` has let through is still under way, or after so many milliseconds. */
  idle(withinMs: number): Promise<void>
}

/** `isHeld`: whether nothing is recorded at all, until the operator of a restored bank says so. */
export function openDateGate(clock: Clock, isHeld = () => false): DateGate {
  let passing = 0
  let reading: Promise<void> | null = null
  const read = () => (reading ??= clock.refresh().finally(() => (reading = null)))
  const readQuietly = () => read().catch(() => undefined)
  /** Nothing reads the date while nobody asks. */
  const rereadSoon = (): void => {
    if (clock.readAgoMs() > REREAD_MS) void readQuietly()
  }
  const settled = async (withinMs: number): Promise<void> => {
    const until = performance.now() + withinMs
    if (clock.readAgoMs() > TRUSTED_MS) await read()
    else rereadSoon()
    while (clock.movingTo()) {
      if (performance.now() > until) throw overloaded()
      await sleep(LOOK_MS)
      await read()
    }
  }
  return {
    pass: async (work, withinMs) => {
      if (isHeld()) throw overloaded()
      await settled(withinMs)
      passing += 1
      try {
        return await work()
      } finally {
        passing -= 1
      }
    },
    look: async () => {
      if (clock.readAgoMs() > TRUSTED_MS) {
        await Promise.race([readQuietly(), sleep(SHOWN_WITHIN_MS, undefined, { ref: false })])
      } else rereadSoon()
    },
    idle: async (withinMs) => {
      const until = performance.now() + withinMs
      while (passing > 0 && performance.now() < until) await sleep(LOOK_MS)
    },
  }
}
