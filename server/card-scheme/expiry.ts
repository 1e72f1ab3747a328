import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { sql } from 'kysely'
import { received } from '#server/card-scheme/messages.ts'
import type { Deps } from '#server/platform/deps.ts'

type Place = { scheme_id: string; expires_at: Date; id: string }

function duePayments({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: Place | null): Promise<Place[]> {
  let query = db
    .selectFrom('bank.card_authorisation')
    .select(['scheme_id', 'expires_at', 'id'])
    // A literal, which the index of open ones needs to see.
    .where('status', '=', sql.lit('held'))
    .where('expires_at', '<=', clock.businessNow())
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('expires_at', 'id'), '>', tuple(after.expires_at, after.id)),
    )
  return query.orderBy('expires_at').orderBy('id').limit(PAGE_SIZE).execute()
}

/** As the scheme would say it, which may say it at this moment, too. No message of it is called so: its names have no blanks. */
const expire = (deps: Deps, { scheme_id: authorisationId }: Place) =>
  deps.cardMessages(received(deps, { type: 'expire', messageId: `by the bank ${authorisationId}`, authorisationId }))

/** Since when the oldest payment should have expired that has not; null where none should have. */
export async function overdueSince({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.card_authorisation')
    .select(({ fn }) => fn.min('expires_at').as('at'))
    .where('status', '=', sql.lit('held'))
    .where('expires_at', '<=', clock.businessNow())
    .executeTakeFirst()
  return oldest?.at ?? null
}

/** Releases what shops have not taken in time. */
export const expirePaymentsJob = defineSweep({
  name: 'card_scheme.expire_payments',
  everyMinutes: 5,
  find: duePayments,
  work: expire,
  failed: 'a card payment could not expire',
})
