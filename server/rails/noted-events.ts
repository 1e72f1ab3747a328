import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RailEvent } from '#server/rails/event.ts'

/**
 * Notes a provider's event by its own name for it, and answers whether it is new: told twice, it is done once. Another
 * one under the same name is the provider's mistake: throws Refusal `collection_mismatch`.
 */
export async function noteEvent(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { eventId, type, id }: RailEvent,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: isNew } = await trx
    .insertInto('bank.rail_event')
    .values({ id: eventId, subject_id: id, type, received_at: clock.realNow() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (isNew) return true
  const known = await trx
    .selectFrom('bank.rail_event')
    .select(['subject_id', 'type'])
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  if (known.subject_id !== id || known.type !== type) throw new Refusal('collection_mismatch', 'eventId')
  return false
}
