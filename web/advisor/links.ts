import type { AdvisedLink } from '#contract/advisor.ts'
import { searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { withArticle } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'

/** Returns the address that a reply's link opens. */
export function addressOf({ screen, id, category, q, from, to }: AdvisedLink) {
  const pathname = paths[screen]
  if (screen === 'transactionDetail') return { pathname, search: id ? searchWithId('', id) : '' }
  if (screen === 'helpArticle') return { pathname, search: id ? withArticle('', id) : '' }
  const filters = Object.entries({ category, q, from, to }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { pathname, search: filters.length > 0 ? `?${new URLSearchParams(filters)}` : '' }
}
