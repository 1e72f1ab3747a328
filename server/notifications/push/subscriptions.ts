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

/** The largest number of subscriptions per customer. A further subscription replaces the one that was renewed longest ago. */
const MAX_SUBSCRIPTIONS = 10

type CustomerSession = { customerId: string; session: string }

/**
 * Subscribes the calling browser to the customer's notices. An earlier subscription with this address ends, for any customer.
 * Throws Refusal `request_invalid` for an address that the bank does not send to, and for an invalid key.
 */
export async function subscribeToPush(
  deps: Pick<Deps, 'db' | 'clock' | 'push'>,
  { customerId, session }: CustomerSession,
  { endpoint, keys, replaced }: PushSubscriptionContent,
): Promise<void> {
  checkAddress(deps, { endpoint, keys })
  const now = deps.clock.realNow()
  await inTransaction(deps.db, async (trx) => {
    // The lock makes concurrent requests run one after the other. Otherwise they could delete each other's subscriptions.
    await lockCustomer(trx, customerId)
    const session_id = await sessionId(trx, session)
    // A session belongs to one browser, and a browser has one address. With a second address, the browser would get every
    // notice twice.
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
    const staleSubscriptions = trx
      .selectFrom('bank.push_subscription')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('endpoint', '<>', endpoint)
      .orderBy('renewed_at', 'desc')
      .orderBy('id', 'desc')
      .offset(sql.lit(MAX_SUBSCRIPTIONS - 1))
    await trx.deleteFrom('bank.push_subscription').where('id', 'in', staleSubscriptions).execute()
    const bound = { customer_id: customerId, session_id, ...keys, renewed_at: now, failures: 0, retry_at: null }
    await trx
      .insertInto('bank.push_subscription')
      .values({ id: randomUUIDv7(), endpoint, created_at: now, ...bound })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ id: randomUUIDv7(), ...bound }))
      .execute()
  })
}

/** Throws Refusal `request_invalid` for an address that the bank does not send to, and for an invalid key. */
function checkAddress({ push }: Pick<Deps, 'push'>, { endpoint, keys }: PushSubscriptionContent): void {
  if (!push.allows(endpoint)) throw new Refusal('request_invalid', 'endpoint')
  if (!isCurvePoint(keys.p256dh)) throw new Refusal('request_invalid', 'keys')
}

/**
 * Renews a browser's subscription in this session, or replaces its address by a new one. Returns whether the subscription
 * belongs to the customer. A subscription of another customer, who used the browser before, ends. Only the browser has the
 * replaced address, so the address is sufficient proof. Throws Refusal `request_invalid` like `subscribeToPush`.
 */
export async function renewPushSubscription(
  deps: Pick<Deps, 'db' | 'clock' | 'push'>,
  { customerId, session }: CustomerSession,
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
    const isRenewed = await renewedAt(endpoint, {})
    if (isRenewed && isReplaced) await deleteAt(trx, replaced)
    if (isRenewed) return true
    // Another customer used this browser before, and their subscription ends.
    await deleteAt(trx, endpoint)
    if (!isReplaced) return false
    const moved = await renewedAt(replaced, { endpoint, ...keys, failures: 0, retry_at: null })
    if (!moved) await deleteAt(trx, replaced)
    return moved !== undefined
  })
}

const deleteAt = (trx: Transaction<Database>, endpoint: string) =>
  trx.deleteFrom('bank.push_subscription').where('endpoint', '=', endpoint).execute()

/** Returns whether the browser of this session shows notices. */
export async function isSubscribed(
  { db }: Pick<Deps, 'db'>,
  { customerId, session }: CustomerSession,
): Promise<boolean> {
  const row = await db
    .selectFrom('bank.push_subscription')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('session_id', '=', await sessionId(db, session))
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the subscription of this session's browser. */
export async function unsubscribeFromPush(
  { db }: Pick<Deps, 'db'>,
  { customerId, session }: CustomerSession,
): Promise<void> {
  await db
    .deleteFrom('bank.push_subscription')
    .where('customer_id', '=', customerId)
    .where('session_id', '=', await sessionId(db, session))
    .execute()
}

/**
 * Returns the push services of a customer's browsers for the data export. The full addresses are left out, because they would
 * let other people send messages.
 */
export async function exportSubscriptions({ db }: Pick<Deps, 'db'>, customerId: string) {
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
