import { migrate } from '#server/platform/db/migrate.ts'
import type { Claim } from '#server/platform/db/record.ts'
import { migrateJobs } from '#server/platform/jobs/worker.ts'
import { ensureChart } from '#server/ledger/chart.ts'
import { limitExposure } from '#server/ledger/exposure.ts'
import { policyFor } from '#server/bank/policy.ts'

/**
 * Everything the owner does to a database before the bank serves from it; safe to run at every start. Answers the serving
 * role's address. Throws StartError, and changes nothing, where the database is not this bank's.
 */
export function prepareDatabase(claim: Claim): Promise<string> {
  return migrate({
    ...claim,
    after: async (run, grantee) => {
      await ensureChart(run)
      const { exposureMinor, cashMinor } = policyFor(claim).markets
      await limitExposure(run, { ...exposureMinor, USD: cashMinor })
      await migrateJobs(claim.ownerUrl, grantee)
    },
  })
}
