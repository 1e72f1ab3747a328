import { type Transaction } from 'kysely'
import { type Fund, FUNDS } from '#contract/markets.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Run, runIn } from '#server/platform/db/run.ts'
import { type Account, accountsOf, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** Returns the accounts that hold a customer's fund units, by fund. */
export async function fundAccounts(run: Run, customerId: string): Promise<Map<Fund, Account>> {
  const accounts = (await accountsOf(run, customerId)).filter(({ code }) => code === 'fund')
  return new Map(
    FUNDS.flatMap((fund) => {
      const account = accounts.find(({ asset }) => asset === fund)
      return account ? [[fund, account] as const] : []
    }),
  )
}

/**
 * Returns the account that holds a customer's units of a fund, and opens it if necessary. The caller has locked the
 * customer.
 */
export async function openFundAccount(trx: Transaction<Database>, customerId: string, fund: Fund): Promise<AccountId> {
  const account = (await fundAccounts(runIn(trx), customerId)).get(fund)
  if (account) return account.id
  const [id] = await openAccounts(runIn(trx), [{ holderId: customerId, code: 'fund', asset: fund }])
  if (id === undefined) throw new Error('No account was opened')
  return id
}
