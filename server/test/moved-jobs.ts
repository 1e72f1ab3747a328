import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { keepJobsApart, returnJobs } from '#server/platform/jobs/graphile.ts'

/** Brings what waits for a moment of business time forward by so many milliseconds, as a move of the date does. */
export async function bringJobsForward(db: Kysely<Database>, ms: number): Promise<void> {
  await keepJobsApart(db, 0)
  await returnJobs(db, ms)
}
