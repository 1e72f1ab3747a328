import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { sql } from 'kysely'
import { receiveCardMessage } from '#server/card-scheme/messages.ts'
import type { Deps } from '#server/platform/deps.ts'

type PageCursor = { scheme_id: string; expires_at: Date; id: string }

function duePayments({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: PageCursor | null): Promise<PageCursor[]> {
  let query = db
    .selectFrom('bank.card_authorisation')
    .select(['scheme_id', 'expires_at', 'id'])
    // A literal lets PostgreSQL use the partial index on open payments.
    .where('status', '=', sql.lit('held'))
    .where('expires_at', '<=', clock.businessNow())
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('expires_at', 'id'), '>', tuple(after.expires_at, after.id)),
    )
  return query.orderBy('expires_at').orderBy('id').limit(PAGE_SIZE).execute()
}

/**
 * Processes the expiry of a payment as if the scheme had sent it. The scheme's own message may arrive at the same moment. The
 * id of this message contains a blank and the scheme's message ids do not, so the id is unique.
 */
const expire = (deps: Deps, { scheme_id: authorisationId }: PageCursor) =>
  deps.cardMessages(
    receiveCardMessage(deps, { type: 'expire', messageId: `by the bank ${authorisationId}`, authorisationId }),
  )

/** Returns the due time of the oldest overdue expiry; null if none exists. */
export async function cardExpiryOverdueSince({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.card_authorisation')
    .select(({ fn }) => fn.min('expires_at').as('at'))
    .where('status', '=', sql.lit('held'))
    .where('expires_at', '<=', clock.businessNow())
    .executeTakeFirst()
  return oldest?.at ?? null
}

/** Releases amounts that shops have not captured in time. */
export const expirePaymentsJob = defineSweep({
  name: 'card_scheme.expire_payments',
  everyMinutes: 5,
  find: duePayments,
  work: expire,
  failed: 'a card payment could not expire',
})
