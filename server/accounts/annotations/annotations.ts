import type { Transaction } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { TransactionDetail } from '#contract/accounts.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns a customer's annotations of one of the customer's transactions. */
export async function readAnnotations(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  lineId: string,
): Promise<Pick<TransactionDetail, 'privateNote' | 'photo'>> {
  const { note, photo } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('bank.private_note')
        .select('note')
        .where('customer_id', '=', customerId)
        .where('line_id', '=', lineId)
        .as('note'),
      jsonObjectFrom(
        eb
          .selectFrom('bank.receipt_photo')
          .select(['id', 'added_at'])
          .where('customer_id', '=', customerId)
          .where('line_id', '=', lineId),
      ).as('photo'),
    ])
    .executeTakeFirstOrThrow()
  return {
    privateNote: note,
    photo: photo && { id: photo.id, addedAt: new Date(photo.added_at).toISOString() },
  }
}

/** Deletes the annotations of a customer who closes. */
export async function deleteAnnotations(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.deleteFrom('bank.private_note').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.receipt_photo').where('customer_id', '=', customerId).execute()
}
