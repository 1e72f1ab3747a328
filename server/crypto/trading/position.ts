import type { Transaction } from 'kysely'
import type { Coin } from '#contract/markets.ts'
import { accountsById, type Account, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { afterTrade, type Position } from '#server/markets/average-cost.ts'
import type { Exchange } from '#server/crypto/trading/pricing.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * What a customer has of a coin: where the ledger keeps it, and what it cost, US cents. Fees are part of what coins cost, and
 * were taken from what sales brought.
 */
export type CoinPosition = { asset: Coin; accountId: AccountId } & Pick<Position, 'costMinor' | 'realisedMinor'>

type Db = Deps['db']

const positionsQuery = (db: Db, customerId: string) =>
  db
    .selectFrom('bank.crypto_position')
    .select(['asset', 'account_id as accountId', 'cost_minor as costMinor', 'realised_minor as realisedMinor'])
    .where('customer_id', '=', customerId)

export function positionsOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<CoinPosition[]> {
  return positionsQuery(db, customerId).orderBy('asset').execute()
}

/** The ledger's account of a customer's coins; null where they never had any. */
export async function coinAccount(db: Db, customerId: string, asset: Coin): Promise<Account | null> {
  const position = await positionsQuery(db, customerId).where('asset', '=', asset).executeTakeFirst()
  const [account] = position ? await accountsById(runIn(db), [position.accountId]) : []
  return account ?? null
}

/** A customer's position, opened where it is the first of its coin. The customer is locked. */
export async function openPosition(trx: Transaction<Database>, customerId: string, asset: Coin): Promise<CoinPosition> {
  const known = await positionsQuery(trx, customerId).where('asset', '=', asset).executeTakeFirst()
  if (known) return known
  const [accountId] = await openAccounts(runIn(trx), [{ holderId: customerId, code: 'crypto', asset }])
  if (accountId === undefined) throw new Error('No account was opened')
  await trx
    .insertInto('bank.crypto_position')
    .values({ customer_id: customerId, asset, account_id: accountId })
    .execute()
  return { asset, accountId, costMinor: 0, realisedMinor: 0 }
}

/** Keeps what coins cost after a trade of theirs, of which there were `heldMinor` before. */
export async function keepCost(
  trx: Transaction<Database>,
  customerId: string,
  { asset, costMinor, realisedMinor }: CoinPosition,
  heldMinor: number,
  { side, amountMinor, dollarsMinor }: Exchange,
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
