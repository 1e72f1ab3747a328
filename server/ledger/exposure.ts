import type { Priced } from '#contract/markets.ts'
import type { Run } from '#server/platform/db/run.ts'
import { bankAccount } from '#server/ledger/chart.ts'

/**
 * The most that the bank may owe its customers of each asset, minor units; in USD, the most that it may have paid for all of
 * them more than it was paid, so that a wrong price can cost it only so much.
 */
export type Exposure = Readonly<Record<Priced | 'USD', number>>

/**
 * Sets how far the market maker's accounts may go below zero. One that is further down already keeps where it is as its
 * floor: customers can sell, and nobody can buy. Run by the owner, at each start.
 */
export async function limitExposure(run: Run, exposure: Exposure): Promise<void> {
  const limits = Object.entries(exposure) as [Priced | 'USD', number][]
  await run(
    `UPDATE ledger.account
        SET floor_minor = LEAST(-most_minor, balance_minor - held_minor)
       FROM unnest($1::bigint[], $2::bigint[]) AS given (account_id, most_minor)
      WHERE id = account_id AND floor_minor IS DISTINCT FROM LEAST(-most_minor, balance_minor - held_minor)`,
    [limits.map(([asset]) => bankAccount('market_maker', asset)), limits.map(([, mostMinor]) => mostMinor)],
  )
}
