import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { PushRenewal, PushSubscriptionContent } from '#contract/push.ts'
import { sessionId } from '#server/identity/sessions/sessions.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isCurvePoint } from '#server/notifications/push/keys.ts'

/** How many browsers a customer is told in at most: one more takes the place of the one that was renewed longest ago. */
const MOST = 10

type Who = { customerId: string; session: string }

/**
 * Has the customer's notices shown by the browser that asks. What the browser was told by this address before, for
 * whomever, it is not told any more.
 * Throws Refusal `request_invalid` for an address that the bank sends nothing to, and for a key that is none.
 */
export async function subscribe(
  deps: Pick<Deps, 'db' | 'clock' | 'push'>,
  { customerId, session }: Who,
  { endpoint, keys, replaced }: PushSubscriptionContent,
): Promise<void> {
  checkAddress(deps, { endpoint, keys })
  const now = deps.clock.realNow()
  await inTransaction(deps.db, async (trx) => {
    // One after the other, or many at once would count each other out.
    await lockCustomer(trx, customerId)
    const session_id = await sessionId(trx, session)
    // A session is in one browser, and a browser has one address: to another it would be sent everything twice.
    await trx
      .deleteFrom('bank.push_subscription')
      .where('endpoint', '<>', endpoint)
      .where((where) =>
        where.or([
          where.and([where('customer_id', '=', customerId), where('session_id', '=', session_id)]),
          where('endpoint', '=', replaced ?? endpoint),
        ]),
      )
      .execute()
    const others = trx
      .selectFrom('bank.push_subscription')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('endpoint', '<>', endpoint)
      .orderBy('renewed_at', 'desc')
      .orderBy('id', 'desc')
      .offset(sql.lit(MOST - 1))
    await trx.deleteFrom('bank.push_subscription').where('id', 'in', others).execute()
    const bound = { customer_id: customerId, session_id, ...keys, renewed_at: now, failures: 0, retry_at: null }
    await trx
      .insertInto('bank.push_subscription')
      .values({ id: randomUUIDv7(), endpoint, created_at: now, ...bound })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ id: randomUUIDv7(), ...bound }))
      .execute()
  })
}

/** Throws Refusal `request_invalid` for an address that the bank sends nothing to, and for a key that is none. */
function checkAddress({ push }: Pick<Deps, 'push'>, { endpoint, keys }: PushSubscriptionContent): void {
  if (!push.allows(endpoint)) throw new Refusal('request_invalid', 'endpoint')
  if (!isCurvePoint(keys.p256dh)) throw new Refusal('request_invalid', 'keys')
}

/**
 * Notes that a browser still has its subscription, now in this session, or another in the place of the one it had. Answers
 * whether it is the customer's; another's, who used the browser before them, ends. The address that is replaced is known to
 * its browser alone, and so is proof enough. Throws Refusal `request_invalid`, as above.
 */
export async function renew(
  deps: Pick<Deps, 'db' | 'clock' | 'push'>,
  { customerId, session }: Who,
  { endpoint, keys, replaced }: PushRenewal,
): Promise<boolean> {
  if (keys) checkAddress(deps, { endpoint, keys })
  return inTransaction(deps.db, async (trx) => {
    const bound = { session_id: await sessionId(trx, session), renewed_at: deps.clock.realNow() }
    const renewedAt = (address: string, change: object) =>
      trx
        .updateTable('bank.push_subscription')
        .set({ ...bound, ...change })
        .where('endpoint', '=', address)
        .where('customer_id', '=', customerId)
        .returning('id')
        .executeTakeFirst()
    const isReplaced = keys !== undefined && replaced !== undefined && replaced !== endpoint
    const known = await renewedAt(endpoint, {})
    if (known && isReplaced) await deleteAt(trx, replaced)
    if (known) return true
    // Another customer's, who used this browser before, is not theirs any more.
    await deleteAt(trx, endpoint)
    if (!isReplaced) return false
    const moved = await renewedAt(replaced, { endpoint, ...keys, failures: 0, retry_at: null })
    if (!moved) await deleteAt(trx, replaced)
    return moved !== undefined
  })
}

const deleteAt = (trx: Transaction<Database>, endpoint: string) =>
  trx.deleteFrom('bank.push_subscription').where('endpoint', '=', endpoint).execute()

/** Whether the browser of this session shows notices. */
export async function isSubscribed({ db }: Pick<Deps, 'db'>, { customerId, session }: Who): Promise<boolean> {
  const found = await db
    .selectFrom('bank.push_subscription')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('session_id', '=', await sessionId(db, session))
    .executeTakeFirst()
  return found !== undefined
}

/** Shows nothing more in the browser of this session. */
export async function unsubscribe({ db }: Pick<Deps, 'db'>, { customerId, session }: Who): Promise<void> {
  await db
    .deleteFrom('bank.push_subscription')
    .where('customer_id', '=', customerId)
    .where('session_id', '=', await sessionId(db, session))
    .execute()
}

/** The push services that a customer's browsers use; their addresses would let others write to them. */
export async function exportedSubscriptions({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = await db
    .selectFrom('bank.push_subscription')
    .select(['endpoint', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute()
  return rows.map(({ endpoint, created_at }) => ({
    pushService: new URL(endpoint).host,
    createdAt: created_at.toISOString(),
  }))
}
