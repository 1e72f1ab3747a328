import type { Deps } from '#server/platform/deps.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'

/** The time limit for requests in progress, in milliseconds. New requests are already refused at this point (server/api.ts). */
const FINISH_MS = 3_000

/**
 * Runs jobs until the returned object's `stop` is called. The jobs pause while the database has, or is about to have, a schema
 * that this version cannot serve. Other servers detect by the missing jobs that this server has paused. Throws if the first
 * start of the jobs fails.
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
