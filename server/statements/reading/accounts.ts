import type { StatementAccount } from '#contract/statements.ts'
import { Refusal } from '#contract/errors.ts'
import { everyCardOf } from '#server/cards/card.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'

/** An account that has statements, with its id in the ledger. */
export type StatementLedgerAccount = StatementAccount & { accountId: AccountId }

/** Returns a customer's current account, and each card that has or had a balance of its own. */
export async function listStatementAccounts(
  deps: Pick<Deps, 'db'>,
  { id, currentAccountId }: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<StatementLedgerAccount[]> {
  const cards = await everyCardOf(deps, id)
  return [
    { id: 'current', kind: 'current', name: null, lastFour: null, accountId: currentAccountId },
    ...cards.flatMap((card) =>
      card.ownAccountId === null
        ? []
        : [
            {
              id: card.id,
              kind: 'card' as const,
              name: card.name,
              lastFour: card.lastFour,
              accountId: card.ownAccountId,
            },
          ],
    ),
  ]
}

/**
 * Returns one of a customer's accounts that have statements. Throws Refusal `not_found`, also for another customer's account.
 */
export async function findStatementAccount(
  deps: Pick<Deps, 'db'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  id: string,
): Promise<StatementLedgerAccount> {
  const statementAccount = (await listStatementAccounts(deps, customer)).find(
    (account) => account.id === id.toLowerCase(),
  )
  if (!statementAccount) throw new Refusal('not_found')
  return statementAccount
}
