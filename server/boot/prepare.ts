import { migrate } from '#server/platform/db/migrate.ts'
import { migrateJobs } from '#server/platform/jobs/worker.ts'
import { ensureChart } from '#server/ledger/chart.ts'
import { limitExposure } from '#server/ledger/exposure.ts'
import type { Config } from '#server/platform/config.ts'
import { policyFor } from '#server/platform/policy.ts'

/** Everything the owner does to a database before the bank serves from it; safe to run at every start. */
export async function prepareDatabase({
  mode,
  ...options
}: { ownerUrl: string } & Pick<Config, 'secret' | 'mode'>): Promise<void> {
  await migrate({
    ...options,
    after: async (run) => {
      await ensureChart(run)
      const { exposureMinor, cashMinor } = policyFor({ mode }).markets
      await limitExposure(run, { ...exposureMinor, USD: cashMinor })
      await migrateJobs(options.ownerUrl)
    },
  })
}
