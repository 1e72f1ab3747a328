import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

const VALID_YEARS = 4
const RENEWED_MONTHS_BEFORE = 2

/** Returns the last day of a card issued now, YYYY-MM-DD. */
export const expiryFrom = (now: Date): string => lastDayOfMonth(now, 12 * VALID_YEARS)

/** Returns the last expiry date of the cards that are due for renewal, YYYY-MM-DD: the end of the month after next. */
export const lastExpiryDueForRenewal = (now: Date): string => lastDayOfMonth(now, RENEWED_MONTHS_BEFORE)

function endingAfter({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: { id: string } | null) {
  let query = db
    .selectFrom('bank.card')
    .select('id')
    .where('status', '<>', 'removed')
    .where('used_at', 'is', null)
    .where('expires_on', '<=', lastExpiryDueForRenewal(clock.businessNow()))
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/**
 * Renews a card once, even under concurrent calls. Skips removed cards, used single-use cards, cards that are not due for
 * renewal, and cards of closed customers.
 */
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
  if (endsOn > lastExpiryDueForRenewal(now) || (await hasClosed(trx, card.customer_id))) return
  await trx
    .updateTable('bank.card')
    .set({ expires_on: expiryFrom(now), previous_expires_on: endsOn })
    .where('id', '=', id)
    .execute()
  const params = { lastFour: card.last_four, dueOn: endsOn }
  await notify(deps, trx, { customerId: card.customer_id, kind: 'card_renewed', params })
}

/**
 * Renews each card that expires by the end of the month after next, including frozen cards, and notifies its customer. The
 * number, the money, the limits and recurring payments stay. The expiry date is new, and so is the CVV that is derived from it.
 * A single-use card that has paid is not renewed.
 */
export const renewCardsJob = defineSweep({
  name: 'cards.renew',
  everyMinutes: 15,
  find: endingAfter,
  work: (deps, { id }) => inTransaction(deps.db, (trx) => renewCard(deps, trx, id)),
  failed: 'a card could not be renewed',
})
