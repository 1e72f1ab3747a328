import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { keyedDigests } from '#server/platform/secrets/derived-key.ts'
import type { RailEvent } from '#server/rails/event.ts'

/**
 * Stores a provider's event under its id and returns whether it is new. A repeated event is thus applied once. A different
 * event with the same id is an error of the provider: throws Refusal `collection_mismatch`. `event` is the whole event.
 */
export async function recordEvent(
  deps: Pick<Deps, 'clock' | 'config'>,
  trx: Transaction<Database>,
  event: RailEvent,
): Promise<boolean> {
  const { eventId, type, id } = event
  const fields = Object.entries(event).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const digests = keyedDigests(deps.config, 'rail event', JSON.stringify(fields)).map((keyedDigest) =>
    keyedDigest.toString('base64url'),
  )
  const { numInsertedOrUpdatedRows: isNew } = await trx
    .insertInto('bank.rail_event')
    .values({ id: eventId, subject_id: id, type, digest: digests[0], received_at: deps.clock.realNow() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (isNew) return true
  const knownEvent = await trx
    .selectFrom('bank.rail_event')
    .select(['subject_id', 'type', 'digest'])
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  const isSame =
    knownEvent.subject_id === id &&
    knownEvent.type === type &&
    (knownEvent.digest === null || digests.includes(knownEvent.digest))
  if (!isSame) throw new Refusal('collection_mismatch', 'eventId')
  return false
}
