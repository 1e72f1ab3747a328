import type { Kysely, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** For how long a request is known again, in milliseconds of real time. Operations of the ledger are known for ever. */
const KEPT_MS = 90 * 24 * 60 * 60_000

/**
 * Does what a request asks for in one SQL transaction, once for its key: a repeated request is answered
 * with the first result. `work` does nothing but SQL, and its result is plain JSON that may be read in the database.
 * Throws Refusal `idempotency_key_reused` where the key was used for another request, and what `work` throws; then
 * nothing has been done, and the same key may be tried again.
 */
export async function once<Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  { operationId, fingerprint }: RequestKey,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    // Waits for a request with the same key that is under way.
    const added = await trx
      .insertInto('bank.request')
      .values({ key: operationId, fingerprint, made_at: deps.clock.realNow() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!added) {
      const earlier = await trx
        .selectFrom('bank.request')
        .select(['fingerprint', 'result'])
        .where('key', '=', operationId)
        .executeTakeFirst()
      if (earlier?.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused')
      return { result: earlier.result as Result, replayed: true }
    }
    const result = await work(trx)
    await trx
      .updateTable('bank.request')
      .set({ result: JSON.stringify(result ?? null) })
      .where('key', '=', operationId)
      .execute()
    return { result, replayed: false }
  })
}

/** Whether a request with this key was carried out, whatever it asked for. */
export async function isKnownRequest(db: Kysely<Database>, key: string): Promise<boolean> {
  const known = await db.selectFrom('bank.request').select('key').where('key', '=', key).executeTakeFirst()
  return known !== undefined
}

export const purgeRequestsJob = defineRecurringJob({
  name: 'platform.purge_requests',
  everyMinutes: 60,
  work: async ({ db, clock }) => {
    const before = new Date(clock.realNow().getTime() - KEPT_MS)
    await db.deleteFrom('bank.request').where('made_at', '<', before).execute()
  },
})
