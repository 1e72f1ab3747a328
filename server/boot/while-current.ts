import type { Deps } from '#server/platform/deps.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'

/** How long requests that have begun may take, in milliseconds; new ones are refused already (server/api.ts). */
const FINISH_MS = 3_000

/**
 * Does jobs until stopped, but not while the database has, or is about to have, tables that this version cannot serve.
 * Other servers see by the jobs that are gone that this one has stopped. Throws where the first start fails.
 */
export async function startJobsWhileCurrent(deps: Deps): Promise<Jobs> {
  const { readiness, dates, log } = deps
  let jobs: Jobs | null = await startJobs(deps)
  let isStopped = false
  const follow = async (): Promise<void> => {
    const reason = readiness.outdated()
    if (isStopped || (reason === null) === (jobs !== null)) return
    if (reason === null) {
      jobs = await startJobs(deps)
      log.info('this version can serve the database again')
      return
    }
    log.error({ reason }, 'this version is too old for its database, and takes no requests')
    await dates.idle(FINISH_MS)
    await jobs?.stop()
    jobs = null
  }
  let turn: Promise<void> = Promise.resolve()
  readiness.onOutdated(() => {
    turn = turn.then(follow).catch((error: unknown) => log.error({ err: error }, 'jobs: not started again'))
  })
  return {
    stop: async () => {
      isStopped = true
      await turn
      await jobs?.stop()
    },
  }
}
