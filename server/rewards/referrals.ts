import type { Transaction } from 'kysely'
import type { Newcomer } from '#server/identity/sign-in/sign-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { earnPointsSoon } from '#server/rewards/earning.ts'

/**
 * Keeps by whose code a new customer came. A code that is nobody's says nothing, and nobody refers themselves. Doing it
 * again changes nothing.
 */
export async function noteReferral(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { customerId: friendId, referralCode, visitorId }: Newcomer,
): Promise<void> {
  if (referralCode === null) return
  const referrer = await db
    .selectFrom('bank.collector as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .select('c.id')
    .where('k.referral_code', '=', referralCode.toUpperCase())
    .where('c.closed_at', 'is', null)
    .executeTakeFirst()
  if (!referrer || referrer.id === friendId || referrer.id === visitorId) return
  await db
    .insertInto('bank.referral')
    .values({ friend_id: friendId, referrer_id: referrer.id, joined_at: clock.businessNow() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Pays whoever brought a customer whose identity is verified now, once the SQL transaction commits. */
export async function payReferrer(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  friendId: string,
): Promise<void> {
  const referral = await trx
    .selectFrom('bank.referral')
    .select(['id', 'referrer_id'])
    .where('friend_id', '=', friendId)
    .executeTakeFirst()
  if (!referral) return
  const { id: causeId, referrer_id: customerId } = referral
  await earnPointsSoon(trx, { kind: 'refer_friend', causeId, customerId, friendId, at: clock.businessNow() })
}

/** How many friends have joined by the customer's code. */
export async function friendsOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('bank.referral')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('referrer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return count
}
