import { purgeRefusals, REFUSAL_KEPT_MS } from '#server/ledger/refusals.ts'
import { runOn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** Forgets the refusals that no repeated request can need any more. */
export const purgeRefusalsJob = defineRecurringJob({
  name: 'accounts.purge_refusals',
  everyMinutes: 60,
  work: async ({ pool, clock }) => {
    await purgeRefusals(runOn(pool), new Date(clock.realNow().getTime() - REFUSAL_KEPT_MS))
  },
})
