import { migrate } from '#server/platform/db/migrate.ts'
import { migrateJobs } from '#server/platform/jobs/worker.ts'
import { ensureChart } from '#server/ledger/chart.ts'

/** Everything the owner does to a database before the bank serves from it; safe to run at every start. */
export async function prepareDatabase(options: { ownerUrl: string; secret: string }): Promise<void> {
  await migrate({
    ...options,
    after: async (run) => {
      await ensureChart(run)
      await migrateJobs(options.ownerUrl)
    },
  })
}
