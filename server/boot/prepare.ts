import { namesOwner } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { refusePooledTransactions } from '#server/platform/db/pooler.ts'
import { type Claim, openAsServing } from '#server/platform/db/record.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { migrateJobs } from '#server/platform/jobs/worker.ts'
import { ensureChart } from '#server/ledger/chart.ts'
import { limitExposure } from '#server/ledger/exposure.ts'
import { sizeAllPeriods } from '#server/periods/sizes.ts'
import { policyFor } from '#server/bank/policy.ts'

/**
 * Everything the owner does to a database before the bank serves from it; safe to run at every start. Answers the serving
 * role's address; `say` is told who keeps it waiting. Throws StartError, and changes nothing, where the database is not this bank's.
 */
export async function prepareDatabase(claim: Claim, say?: (sentence: string) => void): Promise<string> {
  if (!claim.embedded && namesOwner(claim.ownerUrl)) await refusePooledTransactions(claim.ownerUrl)
  return migrate({
    ...claim,
    ...(say && { say }),
    after: async (run, grantee) => {
      await ensureChart(run)
      const { markets, periodBytes, noticePeriodBytes } = policyFor(claim)
      await limitExposure(run, { ...markets.exposureMinor, USD: markets.cashMinor })
      await sizeAllPeriods(run, { ledger: periodBytes, notices: noticePeriodBytes })
      await migrateJobs(claim.ownerUrl, grantee)
    },
  })
}

/**
 * Where the bank serves on a database that its owner has prepared, without the owner's rights. Throws StartError where
 * something is still to be done with them.
 */
export async function findPrepared(claim: Claim): Promise<string> {
  const { url, pending } = await openAsServing(claim)
  if (pending.length > 0)
    throw new StartError(
      `The database lacks ${pending.length} of this version's migrations, from ${pending[0]} on: run npm run migrate with ` +
        "the owner's address as DATABASE_URL.",
    )
  await refusePooledTransactions(url)
  return url
}
