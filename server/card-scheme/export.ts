import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'

type PageCursor = { authorised_at: Date; id: string }

/** Yields all payment requests to a customer's cards, including declined ones, newest first. */
export async function* exportCardPayments(deps: Pick<Deps, 'db'>, customerId: string) {
  const rows = everyPage(
    (before: PageCursor | null) => page(deps, customerId, before),
    (row) => row,
  )
  for await (const row of rows) {
    yield {
      cardId: row.card_id,
      merchant: row.merchant,
      merchantCategoryCode: row.mcc,
      city: row.city,
      country: row.country,
      presented: row.entry,
      amountMinor: row.amount_minor,
      asset: row.asset,
      status: row.status,
      reason: row.reason,
      capturedMinor: row.captured_minor,
      refundedMinor: row.refunded_minor,
      authorisedAt: row.authorised_at,
    }
  }
}

function page({ db }: Pick<Deps, 'db'>, customerId: string, before: PageCursor | null) {
  let query = db.selectFrom('bank.card_authorisation').selectAll().where('customer_id', '=', customerId)
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('authorised_at', 'id'), '<', tuple(before.authorised_at, before.id)),
    )
  return query.orderBy('authorised_at', 'desc').orderBy('id', 'desc').limit(PAGE_SIZE).execute()
}
