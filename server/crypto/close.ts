import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { positionsOf } from '#server/crypto/trading/position.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Ends what a customer who closes has of crypto, their row being locked. Throws Refusal `coins_left` where they have coins;
 * dollars that an order has set aside keep them from closing like any other.
 */
export async function endCrypto(trx: Transaction<Database>, customerId: string): Promise<void> {
  const positions = await positionsOf({ db: trx }, customerId)
  const accountIds = positions.map(({ accountId }) => accountId)
  const accounts = accountIds.length === 0 ? [] : await accountsById(runIn(trx), accountIds)
  if (accounts.some(({ balanceMinor }) => balanceMinor !== 0)) throw new Refusal('coins_left')
  await trx.deleteFrom('bank.crypto_quote').where('customer_id', '=', customerId).execute()
}
