import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import { overloaded } from '#server/platform/concurrency.ts'

/** What a server has read of the date is true for so long: whoever moves it waits as long first, where others serve. Milliseconds. */
export const TRUSTED_MS = 2_000
/** How long what other servers say waits for the date, in milliseconds: they say it again. */
export const HOOKS_WAIT_MS = 2_000
const LOOK_MS = 25

/** Keeps what is asked for from being recorded as of a day that the date only passes (date-walk.ts). */
export type DateGate = {
  /**
   * Does work that takes its date from the clock, once the date is where it is to be.
   * Throws Refusal `unavailable` where it is not there within so many milliseconds.
   */
  pass<Result>(work: () => Promise<Result>, withinMs: number): Promise<Result>
  /** Resolves once nothing is under way that has passed, or after so many milliseconds. */
  idle(withinMs: number): Promise<void>
}

export function openDateGate(clock: Clock): DateGate {
  let passing = 0
  let reading: Promise<void> | null = null
  const read = () => (reading ??= clock.refresh().finally(() => (reading = null)))
  const settled = async (withinMs: number): Promise<void> => {
    const until = performance.now() + withinMs
    if (clock.readAgoMs() > TRUSTED_MS) await read()
    while (clock.movingTo()) {
      if (performance.now() > until) throw overloaded()
      await sleep(LOOK_MS)
      await read()
    }
  }
  return {
    pass: async (work, withinMs) => {
      await settled(withinMs)
      passing += 1
      try {
        return await work()
      } finally {
        passing -= 1
      }
    },
    idle: async (withinMs) => {
      const until = performance.now() + withinMs
      while (passing > 0 && performance.now() < until) await sleep(LOOK_MS)
    },
  }
}
