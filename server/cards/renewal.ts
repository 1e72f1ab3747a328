import type { Transaction } from 'kysely'
import { cardNotices } from '#server/cards/notices.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

const VALID_YEARS = 4
const RENEWED_MONTHS_BEFORE = 2

/** The last day of a calendar month, counted from this one: YYYY-MM-DD. */
const endOfMonth = (now: Date, monthsOn: number): string =>
  dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsOn + 1, 0)))

/** The last day of a card that is made now: YYYY-MM-DD. */
export const expiryFrom = (now: Date): string => endOfMonth(now, 12 * VALID_YEARS)

/** Cards that end on this day or before are renewed: YYYY-MM-DD, the end of the month after next. */
export const renewedUpTo = (now: Date): string => endOfMonth(now, RENEWED_MONTHS_BEFORE)

/** How many are read at once. */
const BATCH = 200

/**
 * Renews each card that ends within two months, frozen ones too, and tells its customer. The number stays, so do its money, its limits and what
 * shops collect by it; the expiry and with it the security code are new. A single-use card that has made its payment ends.
 */
async function renewCards(deps: Deps): Promise<void> {
  for (let after: string | null = null; ;) {
    const due: { id: string }[] = await endingAfter(deps, after)
    for (const { id } of due) {
      await inTransaction(deps.db, (trx) => renewCard(deps, trx, id)).catch((error: unknown) =>
        deps.log.error({ err: error, cardId: id }, 'a card could not be renewed'),
      )
    }
    if (due.length < BATCH) return
    after = due.at(-1)?.id ?? null
  }
}

function endingAfter({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: string | null) {
  let query = db
    .selectFrom('bank.card')
    .select('id')
    .where('status', '<>', 'removed')
    .where('used_at', 'is', null)
    .where('expires_on', '<=', renewedUpTo(clock.businessNow()))
  if (after) query = query.where('id', '>', after)
  return query.orderBy('id').limit(BATCH).execute()
}

/** Renews a card once, though several ask for it; what was removed meanwhile, or of who has closed, is left alone. */
export async function renewCard(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  id: string,
): Promise<void> {
  const now = deps.clock.businessNow()
  const card = await trx
    .selectFrom('bank.card')
    .select(['customer_id', 'last_four', 'status', 'used_at', 'expires_on'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!card || card.status === 'removed' || card.used_at !== null) return
  const { expires_on: endsOn } = card
  if (endsOn > renewedUpTo(now) || (await hasClosed(trx, card.customer_id))) return
  await trx
    .updateTable('bank.card')
    .set({ expires_on: expiryFrom(now), previous_expires_on: endsOn })
    .where('id', '=', id)
    .execute()
  const params = { lastFour: card.last_four, dueOn: endsOn }
  await notify(deps, trx, { customerId: card.customer_id, ...cardNotices.renewed, params })
}

export const renewCardsJob = defineRecurringJob({ name: 'cards.renew', everyMinutes: 15, work: renewCards })
