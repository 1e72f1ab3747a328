import type { Transaction } from 'kysely'
import type { Coin } from '#contract/markets.ts'
import { accountsById, type Account, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Exchange } from '#server/crypto/trading/pricing.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** What coins cost on average, fees included, and what sales brought beyond that, after their fees; US cents. */
export type Cost = { costMinor: number; realisedMinor: number }

/** What a customer has of a coin: where the ledger keeps it, and what it cost. */
export type Position = Cost & { asset: Coin; accountId: AccountId }

type Db = Deps['db']

const positionsQuery = (db: Db, customerId: string) =>
  db
    .selectFrom('bank.crypto_position')
    .select(['asset', 'account_id as accountId', 'cost_minor as costMinor', 'realised_minor as realisedMinor'])
    .where('customer_id', '=', customerId)

export function positionsOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Position[]> {
  return positionsQuery(db, customerId).orderBy('asset').execute()
}

/** The ledger's account of a customer's coins; null where they never had any. */
export async function coinAccount(db: Db, customerId: string, asset: Coin): Promise<Account | null> {
  const position = await positionsQuery(db, customerId).where('asset', '=', asset).executeTakeFirst()
  const [account] = position ? await accountsById(runIn(db), [position.accountId]) : []
  return account ?? null
}

/** A customer's position, opened where it is the first of its coin. The customer is locked. */
export async function openPosition(trx: Transaction<Database>, customerId: string, asset: Coin): Promise<Position> {
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

/**
 * What coins cost after a trade of theirs, of which there were `heldMinor` before. A sale takes the same part of the cost as of
 * the coins, rounded half up, so that the last coin takes the last cent.
 */
export function costAfter({ costMinor, realisedMinor }: Cost, heldMinor: number, trade: Exchange): Cost {
  if (trade.side === 'buy') return { costMinor: costMinor + trade.dollarsMinor, realisedMinor }
  const [held, sold] = [BigInt(heldMinor), BigInt(trade.amountMinor)]
  const soldCostMinor = Number((2n * BigInt(costMinor) * sold + held) / (2n * held))
  return {
    costMinor: costMinor - soldCostMinor,
    realisedMinor: realisedMinor + trade.dollarsMinor - soldCostMinor,
  }
}

export async function keepCost(
  trx: Transaction<Database>,
  customerId: string,
  asset: Coin,
  { costMinor, realisedMinor }: Cost,
): Promise<void> {
  await trx
    .updateTable('bank.crypto_position')
    .set({ cost_minor: costMinor, realised_minor: realisedMinor })
    .where('customer_id', '=', customerId)
    .where('asset', '=', asset)
    .execute()
}
