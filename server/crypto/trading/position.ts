import type { Transaction } from 'kysely'
import type { Coin } from '#contract/markets.ts'
import { accountsById, type Account, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { afterTrade, type AssetPosition } from '#server/markets/average-cost.ts'
import type { PricedTrade } from '#server/crypto/trading/pricing.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * A customer's position in a coin: its ledger account, and its cost in US cents. Fees are added to the cost of coins and
 * subtracted from the proceeds of sales.
 */
export type CoinPosition = { asset: Coin; accountId: AccountId } & Pick<AssetPosition, 'costMinor' | 'realisedMinor'>

type Db = Deps['db']

const positionsQuery = (db: Db, customerId: string) =>
  db
    .selectFrom('bank.crypto_position')
    .select(['asset', 'account_id as accountId', 'cost_minor as costMinor', 'realised_minor as realisedMinor'])
    .where('customer_id', '=', customerId)

export function positionsOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<CoinPosition[]> {
  return positionsQuery(db, customerId).orderBy('asset').execute()
}

/** Returns the ledger account of a customer's coins, or null if they never had any. */
export async function coinAccount(db: Db, customerId: string, asset: Coin): Promise<Account | null> {
  const position = await positionsQuery(db, customerId).where('asset', '=', asset).executeTakeFirst()
  const [account] = position ? await accountsById(runIn(db), [position.accountId]) : []
  return account ?? null
}

/** Returns a customer's position, and opens it for the first trade of a coin. The caller has locked the customer. */
export async function openPosition(trx: Transaction<Database>, customerId: string, asset: Coin): Promise<CoinPosition> {
  const position = await positionsQuery(trx, customerId).where('asset', '=', asset).executeTakeFirst()
  if (position) return position
  const [accountId] = await openAccounts(runIn(trx), [{ holderId: customerId, code: 'crypto', asset }])
  if (accountId === undefined) throw new Error('No account was opened')
  await trx
    .insertInto('bank.crypto_position')
    .values({ customer_id: customerId, asset, account_id: accountId })
    .execute()
  return { asset, accountId, costMinor: 0, realisedMinor: 0 }
}

/** Stores the cost of a position after a trade. `heldMinor`: the number of coins before the trade, in minor units. */
export async function updateCost(
  trx: Transaction<Database>,
  customerId: string,
  { asset, costMinor, realisedMinor }: CoinPosition,
  heldMinor: number,
  { side, amountMinor, dollarsMinor }: PricedTrade,
): Promise<void> {
  const before = { unitsMinor: heldMinor, costMinor, realisedMinor }
  const after = afterTrade(before, { side, unitsMinor: amountMinor, centsMinor: dollarsMinor })
  await trx
    .updateTable('bank.crypto_position')
    .set({ cost_minor: after.costMinor, realised_minor: after.realisedMinor })
    .where('customer_id', '=', customerId)
    .where('asset', '=', asset)
    .execute()
}
