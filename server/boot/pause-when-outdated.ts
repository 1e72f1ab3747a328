import type { Deps } from '#server/platform/deps.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'

/**
 * The time limit for requests in progress, in milliseconds. When the wait for them begins, this server already refuses new
 * requests (server/api.ts).
 */
const FINISH_MS = 3_000

/**
 * Runs jobs until the returned object's `stop` is called. The jobs pause while the database has, or is about to have, a schema
 * that this version cannot serve. Other servers see that this server's jobs are gone, and so know that it has paused. Throws if
 * the first start of the jobs fails.
 */
export async function startJobsWhileCurrent(deps: Deps): Promise<Jobs> {
  const { readiness, dates, log } = deps
  let jobs: Jobs | null = await startJobs(deps)
  let isStopped = false
  const startOrStop = async (): Promise<void> => {
    const reason = readiness.outdated()
    const isCurrent = reason === null
    const isRunning = jobs !== null
    if (isStopped || isCurrent === isRunning) return
    if (isCurrent) {
      jobs = await startJobs(deps)
      log.info('this version can serve the database again')
      return
    }
    log.error({ reason }, 'this version is too old for its database, and takes no requests')
    // Waits for the requests that the date gate has let pass.
    await dates.idle(FINISH_MS)
    await jobs?.stop()
    jobs = null
  }
  let lastChange: Promise<void> = Promise.resolve()
  readiness.onOutdated(() => {
    lastChange = lastChange
      .then(startOrStop)
      .catch((error: unknown) => log.error({ err: error }, 'jobs: not started or stopped'))
  })
  return {
    stop: async () => {
      isStopped = true
      await lastChange
      await jobs?.stop()
    },
  }
}
