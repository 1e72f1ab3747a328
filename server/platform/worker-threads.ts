import { Piscina } from 'piscina'
import type { Logger } from 'pino'
import { Refusal } from '#contract/errors.ts'

/** The work of a thread: an exported function of a file. */
export type Work = { filename: string; name: string }

/**
 * `atATime`: the largest number of tasks in progress in the thread at the same time. `memory`: the thread's memory limits.
 * `deadlineMs`: the longest time of a task, including its wait, in milliseconds. A task in progress that takes longer ends the
 * whole thread, because a task that never yields cannot be stopped in another way.
 */
export type ThreadOptions = { atATime: number; memory?: object; deadlineMs?: number }

/** A thread beside the main one, for work that would block the main thread. */
export type Threads = {
  /**
   * Runs a task. Throws the task's error, or Refusal `unavailable` if the task took too much memory or too long. The bank
   * itself continues to run.
   */
  run(task: unknown, work: Work, transferList?: readonly object[]): Promise<unknown>
  destroy(): Promise<void>
}

/** The time after which an idle thread ends, in milliseconds. */
const IDLE_MS = 30_000

/** The memory limit of a thread in megabytes. No task needs as much. The limit ends the thread before it can end the server. */
const MAX_MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/** Opens one thread with `atATime` tasks in progress at once. Each task must yield to the others. */
export function openThreads(log: Logger, { atATime, memory = MAX_MEMORY, deadlineMs }: ThreadOptions): Threads {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: atATime,
    idleTimeout: IDLE_MS,
    resourceLimits: memory,
    // The thread must not sleep between two tasks while a third one waits for its file to be read.
    atomics: 'disabled',
  })
  pool.on('error', (err) => log.error({ err }, 'a worker thread stopped unexpectedly'))
  return {
    run: async (task, work, transferList = []) => {
      try {
        // Piscina's types allow only another form of the list.
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
