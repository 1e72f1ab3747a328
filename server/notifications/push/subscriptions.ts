import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { PushSubscriptionContent } from '#contract/push.ts'
import { sessionId } from '#server/identity/sessions/sessions.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
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
  { endpoint, keys }: PushSubscriptionContent,
): Promise<void> {
  if (!deps.push.allows(endpoint)) throw new Refusal('request_invalid', 'endpoint')
  if (!isCurvePoint(keys.p256dh)) throw new Refusal('request_invalid', 'keys')
  const now = deps.clock.realNow()
  await inTransaction(deps.db, async (trx) => {
    // One after the other, or many at once would count each other out.
    await lockCustomer(trx, customerId)
    const session_id = await sessionId(trx, session)
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

/**
 * Notes that a browser still has its subscription, now in this session. Answers whether it is the customer's; another's,
 * who used the browser before them, ends.
 */
export async function renew(
  deps: Pick<Deps, 'db' | 'clock'>,
  { customerId, session }: Who,
  endpoint: string,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const renewed = await trx
      .updateTable('bank.push_subscription')
      .set({ session_id: await sessionId(trx, session), renewed_at: deps.clock.realNow() })
      .where('endpoint', '=', endpoint)
      .where('customer_id', '=', customerId)
      .returning('id')
      .executeTakeFirst()
    if (!renewed) await trx.deleteFrom('bank.push_subscription').where('endpoint', '=', endpoint).execute()
    return renewed !== undefined
  })
}

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
