import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'

/**
 * The time for which a repeated request gets the first result, in milliseconds of real time. After that, its key is always
 * refused.
 */
const KEPT_MS = KEPT_FOR['bank.request'].ms
/** The time for which a withdrawn request is refused, in milliseconds. The ledger keeps its own refusals for the same time. */
const WITHDRAWN_KEPT_MS = KEPT_FOR['ledger refusal'].ms

/** The fingerprint of withdrawn requests. No request has it, so any request with the key counts as a different one. */
export const WITHDRAWN = ''

/**
 * Does a request's work in one SQL transaction, once for its key. A repeated request gets the first result. `work` must do
 * nothing except SQL, and its result must be plain JSON that may be read in the database. Throws Refusal
 * `idempotency_key_reused` if the key was used for another request or payment. Passes on the errors of `work`: after such an
 * error nothing was done, and the same key may be used again. Triggers check the key in the ledger when the request's row is
 * inserted, and claim the key there when the result is stored (docs/decisions/0240).
 */
export async function runOnce<Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  { operationId, fingerprint, customerId }: RequestKey,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    // The insert waits for a concurrent request with the same key.
    const added = await trx
      .insertInto('bank.request')
      .values({ key: operationId, fingerprint, customer_id: customerId ?? null, made_at: deps.clock.realNow() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
      .catch(refuseKnown)
    if (!added) {
      const earlierRequest = await trx
        .selectFrom('bank.request')
        .select(['fingerprint', 'result'])
        .where('key', '=', operationId)
        .executeTakeFirst()
      if (earlierRequest?.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused')
      return { result: earlierRequest.result as Result, replayed: true }
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

/**
 * Throws Refusal `idempotency_key_reused` if the error shows that the ledger has the key already. Otherwise throws the given
 * error.
 */
function refuseKnown(error: unknown): never {
  const { constraint } = error as { constraint?: unknown }
  if (isUniqueViolation(error) && constraint === 'request_key_unknown')
    throw new Refusal('idempotency_key_reused', undefined, { cause: error })
  throw error
}

type Withdrawn = { key: string; customerId: string }

/**
 * Withdraws a request that has not been carried out: its key is refused from now on. Returns whether the request had been
 * carried out already. Waits for a concurrent request with the key. Another customer's request counts as not carried out, so
 * the result does not reveal whether that request exists.
 */
export async function withdrawRequest(
  trx: Transaction<Database>,
  { clock }: Pick<Deps, 'clock'>,
  { key, customerId }: Withdrawn,
): Promise<boolean> {
  const withdrawn = await trx
    .insertInto('bank.request')
    .values({ key, fingerprint: WITHDRAWN, customer_id: customerId, made_at: clock.realNow() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (withdrawn) return false
  const knownRequest = await trx
    .selectFrom('bank.request')
    .select(['fingerprint', 'customer_id'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (knownRequest.customer_id !== null && knownRequest.customer_id !== customerId) return false
  if (knownRequest.fingerprint !== WITHDRAWN) return true
  await trx.updateTable('bank.request').set({ made_at: clock.realNow() }).where('key', '=', key).execute()
  return false
}

export const purgeRequestsJob = defineRecurringJob({
  name: 'platform.purge_requests',
  everyMinutes: 60,
  work: async ({ db, clock }) => {
    const before = (ms: number) => new Date(clock.realNow().getTime() - ms)
    await db.deleteFrom('bank.request').where('made_at', '<', before(KEPT_MS)).execute()
    await db
      .deleteFrom('bank.request')
      .where('fingerprint', '=', sql.lit(WITHDRAWN))
      .where('made_at', '<', before(WITHDRAWN_KEPT_MS))
      .execute()
  },
})
