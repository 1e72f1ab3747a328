import type { Deps } from '#server/platform/deps.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'

/** Has a recurring job do what it does in its turn: nothing, where it says that nothing is due. */
export async function takeTurn(job: RunnableJob, deps: Deps): Promise<void> {
  if (!job.isDue || (await job.isDue(deps))) await job.run(deps, {})
}
