import type { Priced } from '#contract/markets.ts'
import type { Run } from '#server/platform/db/run.ts'
import { bankAccount } from '#server/ledger/chart.ts'

/**
 * The highest amount that the bank may owe its customers in each asset, in minor units. The limit in USD is the highest amount
 * that the market maker may have paid out in excess of its receipts. It caps the loss from a wrong price.
 */
export type Exposure = Readonly<Record<Priced | 'USD', number>>

/**
 * Sets how far the market maker's accounts may go below zero. An account that is already lower gets its current level as the
 * floor. Customers can then sell that coin or fund but not buy it. If the account in USD is already lower, they can buy but not
 * sell. The owner role runs this function at each start.
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
