import { sql } from 'kysely'
import { fold } from '#contract/folding.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The maximum number of notes that a search finds. Beyond that, the oldest notes are left out. */
const MAX_FOUND = 500

/** Returns the operation that a transaction began with. */
const originOf = (lineId: string): string => lineId.split('.')[0] ?? lineId

/** Stores a customer's private note about a transaction in place of the earlier one. An empty text deletes the note. */
export async function writeNote(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  lineId: string,
  note: string,
): Promise<void> {
  const row = { note, folded: fold(note), written_at: deps.clock.businessNow() }
  await inTransaction(deps.db, async (trx) => {
    // The lock orders concurrent writes. It also refuses a note of a customer who closes the account at the same moment.
    await lockOpenCustomer(trx, customerId)
    if (note === '') {
      await trx
        .deleteFrom('bank.private_note')
        .where('customer_id', '=', customerId)
        .where('line_id', '=', lineId)
        .execute()
    } else {
      await trx
        .insertInto('bank.private_note')
        .values({ customer_id: customerId, line_id: lineId, origin_id: originOf(lineId), ...row })
        .onConflict((conflict) => conflict.columns(['customer_id', 'line_id']).doUpdateSet(row))
        .execute()
    }
  })
}

/** Returns the operations of a customer's transactions whose private notes contain a text. */
export async function findOperationsByNote(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  searchText: string,
): Promise<string[]> {
  const phrase = fold(searchText)
  if (phrase === '') return []
  const rows = await db
    .selectFrom('bank.private_note')
    .select('origin_id')
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`position(${phrase} IN folded) > 0`)
    .orderBy('written_at', 'desc')
    .limit(MAX_FOUND)
    .execute()
  return rows.map((row) => row.origin_id)
}

/** Yields all of a customer's notes, for the data download. */
export const exportNotes = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
  everyPage(
    (last: string | null) => {
      const query = db
        .selectFrom('bank.private_note')
        .select(['line_id as transactionId', 'note', 'written_at as writtenAt'])
        .where('customer_id', '=', customerId)
      return (last === null ? query : query.where('line_id', '>', last)).orderBy('line_id').limit(PAGE_SIZE).execute()
    },
    ({ transactionId }) => transactionId,
  )
