import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { transactionOfLine } from '#server/accounts/transaction.ts'
import { findCard } from '#server/cards/card.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { listLines } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type Page = { cursor?: string | undefined; limit: number }

/**
 * Returns a page of a virtual card's payments and incoming money, newest first. The list of a removed card ends with its
 * removal. A virtual card that never had its own account has an empty list. Throws Refusal `not_found`, also for the main card,
 * and `cursor_invalid`.
 */
export async function cardActivity(
  deps: Pick<Deps, 'db'>,
  customer: Pick<Customer, 'id'>,
  cardId: string,
  page: Page,
): Promise<{ transactions: Transaction[]; nextCursor: string | null }> {
  const card = await findCard(deps, customer.id, cardId)
  if (!card || card.kind === 'main') throw new Refusal('not_found')
  const { ownAccountId: accountId } = card
  if (accountId === null) return { transactions: [], nextCursor: null }
  const { lines, nextCursor } = await listLines(runIn(deps.db), { accountId, filters: {}, ...page })
  return { transactions: lines.map(transactionOfLine), nextCursor }
}
