import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'

/** For how long a request is answered again, in milliseconds of real time. After that, its key is refused for ever. */
const KEPT_MS = KEPT_FOR['bank.request'].ms
/** For how long one that was withdrawn is refused: as long as the ledger remembers what it refused. */
const WITHDRAWN_KEPT_MS = KEPT_FOR['ledger refusal'].ms

/** The fingerprint of what was withdrawn: no request has it, so that whatever comes under its key is another request's. */
export const WITHDRAWN = ''

/**
 * Does what a request asks for in one SQL transaction, once for its key: a repeated request is answered
 * with the first result. `work` does nothing but SQL, and its result is plain JSON that may be read in the database.
 * Throws Refusal `idempotency_key_reused` where the key was used for another request, a payment included, and what `work`
 * throws; then nothing has been done, and the same key may be tried again.
 * Triggers look the key up in the ledger when its row comes, and take it there when its result does
 * (docs/decisions/0240).
 */
export async function once<Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  { operationId, fingerprint, customerId }: RequestKey,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    // Waits for a request with the same key that is under way.
    const added = await trx
      .insertInto('bank.request')
      .values({ key: operationId, fingerprint, customer_id: customerId ?? null, made_at: deps.clock.realNow() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
      .catch(refuseKnown)
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

/** Throws Refusal `idempotency_key_reused` where the ledger knows the key, else the error. */
function refuseKnown(error: unknown): never {
  const { constraint } = error as { constraint?: unknown }
  if (isUniqueViolation(error) && constraint === 'request_key_unknown')
    throw new Refusal('idempotency_key_reused', undefined, { cause: error })
  throw error
}

type Withdrawn = { key: string; customerId: string }

/**
 * Refuses a request before it comes, unless it was carried out: from now on its key is refused. Answers whether it was
 * carried out. Waits for one that is under way. Another customer's request is none of this one's, and so was not carried
 * out: the answer does not tell it from one that was never sent.
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
  const known = await trx
    .selectFrom('bank.request')
    .select(['fingerprint', 'customer_id'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (known.customer_id !== null && known.customer_id !== customerId) return false
  if (known.fingerprint !== WITHDRAWN) return true
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
