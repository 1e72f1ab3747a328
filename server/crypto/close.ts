import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { positionsOf } from '#server/crypto/trading/position.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Checks that a customer who closes has no coins, and deletes their quotes. The caller has locked the customer. Throws Refusal
 * `coins_left` if they have coins. Dollars that an order has set aside prevent closing by the general rule for holds.
 */
export async function endCrypto(trx: Transaction<Database>, customerId: string): Promise<void> {
  const positions = await positionsOf({ db: trx }, customerId)
  const accountIds = positions.map(({ accountId }) => accountId)
  const accounts = accountIds.length === 0 ? [] : await accountsById(runIn(trx), accountIds)
  if (accounts.some(({ balanceMinor }) => balanceMinor !== 0)) throw new Refusal('coins_left')
  await trx.deleteFrom('bank.crypto_quote').where('customer_id', '=', customerId).execute()
}
