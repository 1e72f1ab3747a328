import { Piscina } from 'piscina'
import type { Logger } from 'pino'
import { Refusal } from '#contract/errors.ts'

/** What is run in a thread: a function that a file exports. */
export type Work = { filename: string; name: string }

/**
 * `atATime`: so much is under way in the thread. `deadlineMs`: what has not ended by then, with what it waited for, is broken off with the
 * thread: what never gives others their turn cannot be stopped otherwise.
 */
export type ThreadOptions = { atATime: number; memory?: object; deadlineMs?: number }

/** A thread beside the main one, for what would keep everybody waiting there. */
export type Threads = {
  /** Throws what the work does, and Refusal `unavailable` where it took too much memory or too long; the bank goes on. */
  run(task: unknown, work: Work, transferList?: readonly object[]): Promise<unknown>
  destroy(): Promise<void>
}

/** A thread that has nothing to do ends after this long, in milliseconds. */
const IDLE_MS = 30_000

/** No work needs as much, in megabytes. It is what ends a thread before it ends the server. */
const MEMORY_MOST = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/** One thread, with so much under way in it at a time: each piece of work lets the others have their turn. */
export function openThreads(log: Logger, { atATime, memory = MEMORY_MOST, deadlineMs }: ThreadOptions): Threads {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: atATime,
    idleTimeout: IDLE_MS,
    resourceLimits: memory,
    // It must not sleep between two pieces of work while a third one waits for its file to be read.
    atomics: 'disabled',
  })
  pool.on('error', (err) => log.error({ err }, 'a thread broke off'))
  return {
    run: async (task, work, transferList = []) => {
      try {
        // Its types know one form of the list alone, which is not this one.
        const signal = deadlineMs === undefined ? null : AbortSignal.timeout(deadlineMs)
        return await pool.run(task, { ...work, transferList: transferList as never, signal })
      } catch (error) {
        if ((error as { name?: unknown }).name === 'AbortError') {
          log.error({ work: work.name }, 'a thread took too long')
          throw new Refusal('unavailable', undefined, { cause: error })
        }
        if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
        log.error({ err: error, work: work.name }, 'a thread took too much memory')
        throw new Refusal('unavailable', undefined, { cause: error })
      }
    },
    destroy: () => pool.destroy(),
  }
}
