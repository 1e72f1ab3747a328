import { sql } from 'kysely'
import { fold } from '#contract/folding.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** As many notes as a search looks at: of more, the oldest are not found. */
const FOUND_MOST = 500

/** The operation that a transaction began with. */
const originOf = (lineId: string): string => lineId.split('.')[0] ?? lineId

/** Keeps what a customer writes to themselves about a transaction of theirs, in place of what they wrote before; nothing for ''. */
export async function writeNote(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  lineId: string,
  note: string,
): Promise<void> {
  const written = { note, folded: fold(note), written_at: deps.clock.businessNow() }
  await inTransaction(deps.db, async (trx) => {
    // What is written last counts, and nothing for whoever closes at the same moment.
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
        .values({ customer_id: customerId, line_id: lineId, origin_id: originOf(lineId), ...written })
        .onConflict((conflict) => conflict.columns(['customer_id', 'line_id']).doUpdateSet(written))
        .execute()
    }
  })
}

/** The operations of a customer's transactions in whose private notes a text is found. */
export async function originsByNote({ db }: Pick<Deps, 'db'>, customerId: string, q: string): Promise<string[]> {
  const wanted = fold(q)
  if (wanted === '') return []
  const rows = await db
    .selectFrom('bank.private_note')
    .select('origin_id')
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`position(${wanted} IN folded) > 0`)
    .orderBy('written_at', 'desc')
    .limit(FOUND_MOST)
    .execute()
  return rows.map((row) => row.origin_id)
}

/** All that a customer has written, for their download. */
export const exportedNotes = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
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
