import type { Deps } from '#server/platform/deps.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'

/** Runs a recurring job as its schedule does. Does nothing if `isDue` returns false. */
export async function runIfDue(job: RunnableJob, deps: Deps): Promise<void> {
  if (!job.isDue || (await job.isDue(deps))) await job.run(deps, {})
}
