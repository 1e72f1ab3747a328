import { purgeRefusals, REFUSAL_KEPT_MS } from '#server/ledger/refusals.ts'
import { runOn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** Deletes stored refusals that are so old that no client repeats their requests any more. */
export const purgeRefusalsJob = defineRecurringJob({
  name: 'accounts.purge_refusals',
  everyMinutes: 60,
  work: async ({ pool, clock }) => {
    await purgeRefusals(runOn(pool), new Date(clock.realNow().getTime() - REFUSAL_KEPT_MS))
  },
})
