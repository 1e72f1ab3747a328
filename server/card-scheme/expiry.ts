import { sql } from 'kysely'
import { type ClearingDeps, release } from '#server/card-scheme/clearing.ts'
import { lockPayment } from '#server/card-scheme/payment.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** How many are read at once. */
const BATCH = 100

/** Releases what shops have not taken in time. One that fails keeps no other. */
async function expirePayments(deps: ClearingDeps): Promise<void> {
  const now = deps.clock.businessNow()
  let after: Place | null = null
  for (;;) {
    const due: Place[] = await duePayments(deps, now, after)
    for (const schemeId of due.map((row) => row.scheme_id)) {
      await expire(deps, schemeId, now).catch((error: unknown) =>
        deps.log.error({ err: error, schemeId }, 'a card payment could not expire'),
      )
    }
    if (due.length < BATCH) return
    after = due.at(-1) ?? null
  }
}

type Place = { scheme_id: string; expires_at: Date; id: string }

function duePayments({ db }: Pick<Deps, 'db'>, now: Date, after: Place | null) {
  let query = db
    .selectFrom('bank.card_authorisation')
    .select(['scheme_id', 'expires_at', 'id'])
    // A literal, which the index of open ones needs to see.
    .where('status', '=', sql.lit('held'))
    .where('expires_at', '<=', now)
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('expires_at', 'id'), '>', tuple(after.expires_at, after.id)),
    )
  return query.orderBy('expires_at').orderBy('id').limit(BATCH).execute()
}

/** What was captured or released a moment ago is left alone. */
async function expire(deps: ClearingDeps, schemeId: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockPayment(trx, schemeId)
    if (locked?.payment.status !== 'held') return
    // No message is called so: the scheme's names have no blanks.
    const clearing = { ...locked, messageId: 'by the bank', now }
    await release(deps, trx, clearing, { minor: locked.payment.open_minor, status: 'expired' })
  })
}

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

export const expirePaymentsJob = defineRecurringJob({
  name: 'card_scheme.expire_payments',
  everyMinutes: 5,
  work: expirePayments,
})
