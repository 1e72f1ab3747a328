import { namesOwner } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { refusePooledTransactions } from '#server/platform/db/pooler.ts'
import { type DatabaseClaim, openAsServing } from '#server/platform/db/database-identity.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { migrateJobs } from '#server/platform/jobs/worker.ts'
import { ensureChart } from '#server/ledger/chart.ts'
import { limitExposure } from '#server/ledger/exposure.ts'
import { sizeAllPeriods } from '#server/periods/sizes.ts'
import { policyFor } from '#server/bank/policy.ts'

/**
 * Does all work on a database that requires the owner role, before the bank serves from the database. This is safe at every
 * start. Returns the database address with the serving role. `report` receives sentences with the sessions for which the work
 * waits. Throws StartError if the database belongs to another bank, which then remains unchanged.
 */
export async function prepareDatabase(claim: DatabaseClaim, report?: (sentence: string) => void): Promise<string> {
  if (!claim.embedded && namesOwner(claim.ownerUrl)) await refusePooledTransactions(claim.ownerUrl)
  return migrate({
    ...claim,
    ...(report && { report }),
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
 * Returns the database address with the serving role, without the rights of the owner. The owner must have prepared the
 * database. Throws StartError if the owner still has work to do.
 */
export async function preparedDatabaseUrl(claim: DatabaseClaim): Promise<string> {
  const { url, pending } = await openAsServing(claim)
  if (pending.length > 0)
    throw new StartError(
      `The database lacks ${pending.length} of this version's migrations, from ${pending[0]} on: run npm run migrate with ` +
        "the owner's address as DATABASE_URL.",
    )
  await refusePooledTransactions(url)
  return url
}
