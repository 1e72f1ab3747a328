import type { Transaction } from 'kysely'
import type { Newcomer } from '#server/identity/sign-in/sign-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { enqueueEarnPoints } from '#server/rewards/earning.ts'

/**
 * Records which customer's code a new customer used. Ignores an unknown code and the customer's own code. A repetition changes
 * nothing.
 */
export async function recordReferral(
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

/** Rewards the referrer of a customer whose identity is now verified, once the SQL transaction commits. */
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
  await enqueueEarnPoints(trx, { kind: 'refer_friend', causeId, customerId, friendId, at: clock.businessNow() })
}

/** Returns the number of friends who have joined with the customer's code. */
export async function friendsOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('bank.referral')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('referrer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return count
}
