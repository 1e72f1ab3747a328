import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { keyedDigests } from '#server/platform/secrets/derived-key.ts'
import type { RailEvent } from '#server/rails/event.ts'

/**
 * Notes a provider's event by its own name for it, and answers whether it is new: told twice, it is done once. Another
 * one under the same name is the provider's mistake: throws Refusal `collection_mismatch`. `event` is all that was told.
 */
export async function noteEvent(
  deps: Pick<Deps, 'clock' | 'config'>,
  trx: Transaction<Database>,
  event: RailEvent,
): Promise<boolean> {
  const { eventId, type, id } = event
  const said = Object.entries(event).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const digests = keyedDigests(deps.config, 'rail event', JSON.stringify(said)).map((one) => one.toString('base64url'))
  const { numInsertedOrUpdatedRows: isNew } = await trx
    .insertInto('bank.rail_event')
    .values({ id: eventId, subject_id: id, type, digest: digests[0], received_at: deps.clock.realNow() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (isNew) return true
  const known = await trx
    .selectFrom('bank.rail_event')
    .select(['subject_id', 'type', 'digest'])
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  const isSame =
    known.subject_id === id && known.type === type && (known.digest === null || digests.includes(known.digest))
  if (!isSame) throw new Refusal('collection_mismatch', 'eventId')
  return false
}
