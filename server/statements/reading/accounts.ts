import type { StatementAccount } from '#contract/statements.ts'
import { Refusal } from '#contract/errors.ts'
import { everyCardOf } from '#server/cards/card.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What a customer has statements of, by the ledger's account. */
export type StatedAccount = StatementAccount & { accountId: AccountId }

/** A customer's current account, and each card that has or had money of its own. */
export async function statedAccounts(
  deps: Pick<Deps, 'db'>,
  { id, currentAccountId }: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<StatedAccount[]> {
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

/** One of them. Throws Refusal `not_found`, for somebody else's too. */
export async function findStated(
  deps: Pick<Deps, 'db'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  id: string,
): Promise<StatedAccount> {
  const found = (await statedAccounts(deps, customer)).find((account) => account.id === id.toLowerCase())
  if (!found) throw new Refusal('not_found')
  return found
}
