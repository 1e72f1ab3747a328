import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** For how long a request is known again, in milliseconds of real time. Operations of the ledger are known for ever. */
const KEPT_MS = 90 * 24 * 60 * 60_000

/**
 * Does what a request asks for in one SQL transaction, once for its key: whoever sends it again is given the result of
 * the first time. `work` does nothing but SQL, and its result is plain JSON that may be read in the database.
 * Throws Refusal `idempotency_key_reused` where the key was used for another request, and what `work` throws; then
 * nothing has been done, and the same key may be tried again.
 */
export async function once<Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  { operationId, fingerprint }: RequestKey,
  work: (run: Run, trx: Transaction<Database>) => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  return inTransaction(deps.db, async (trx, run) => {
    // Waits for whoever is just using the same key.
    const { rows: added } = await run(
      `INSERT INTO bank.request (key, fingerprint, made_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key`,
      [operationId, fingerprint, deps.clock.realNow()],
    )
    if (added.length === 0) {
      const { rows } = await run('SELECT fingerprint, result FROM bank.request WHERE key = $1', [operationId])
      if (rows[0]?.['fingerprint'] !== fingerprint) throw new Refusal('idempotency_key_reused')
      return { result: rows[0]['result'] as Result, replayed: true }
    }
    const result = await work(run, trx)
    await run('UPDATE bank.request SET result = $2 WHERE key = $1', [operationId, JSON.stringify(result ?? null)])
    return { result, replayed: false }
  })
}

export const purgeRequestsJob = defineRecurringJob({
  name: 'platform.purge_requests',
  everyMinutes: 60,
  work: async ({ pool, clock }) => {
    const before = new Date(clock.realNow().getTime() - KEPT_MS)
    await pool.query('DELETE FROM bank.request WHERE made_at < $1', [before])
  },
})
