import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { hideJobs, restoreHiddenJobs } from '#server/platform/jobs/graphile.ts'

/** Makes jobs that wait for a business time due `ms` milliseconds earlier, as a move of the date does. */
export async function bringJobsForward(db: Kysely<Database>, ms: number): Promise<void> {
  await hideJobs(db, 0)
  await restoreHiddenJobs(db, ms)
}
