import type { PointsLine, Redemption, Rewards } from '#contract/rewards-api.ts'
import { REWARD_KEYS, REWARDS, TIER_TARGET } from '#contract/rewards.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { listLines } from '#server/ledger/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'
import { findCollector } from '#server/rewards/collectors.ts'
import { premiumOf } from '#server/rewards/premium.ts'
import { isOffered, redemptionsOf } from '#server/rewards/redemption.ts'
import { friendsOf } from '#server/rewards/referrals.ts'

/** The number of codes that the screen shows. */
const CODES = 20

type ReadDeps = Pick<Deps, 'db' | 'pool' | 'policy' | 'clock'>

/** Returns all data of the rewards screen except the history. */
export async function readRewards(deps: ReadDeps, customerId: string): Promise<Rewards> {
  const collector = await findCollector(deps, customerId)
  const [[account], spentPoints, premium, friends] = await Promise.all([
    accountsById(runOn(deps.pool), [collector.accountId]),
    spentBy(deps, customerId),
    premiumOf(deps, customerId),
    friendsOf(deps, customerId),
  ])
  const points = account?.balanceMinor ?? 0
  const { paymentsPerDay, sendsPerDay, referralsPerMonth } = deps.policy.rewards
  return {
    points,
    owedPoints: collector.owed,
    // Points that were spent still count towards a tier, because a tier rewards earned points.
    tier: { points: points + spentPoints, target: TIER_TARGET },
    catalogue: REWARD_KEYS.map((reward) => {
      const offered = isOffered(deps, reward)
      return { reward, points: REWARDS[reward].points, offered, available: offered && points >= REWARDS[reward].points }
    }),
    premium,
    limits: { paymentsPerDay, sendsPerDay, referralsPerMonth },
    referral: { code: collector.referralCode, friends },
  }
}

/** Returns the customer's latest redeemed codes. */
export function listRewardCodes(deps: Pick<Deps, 'db'>, customerId: string): Promise<Redemption[]> {
  return redemptionsOf(deps, customerId, { limit: CODES, codesOnly: true })
}

async function spentBy({ db }: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const row = await db
    .selectFrom('bank.redemption')
    .select(({ fn }) => fn.sum<string | null>('points').as('sum'))
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Returns a page of the movements of a customer's points, newest first. Throws Refusal `cursor_invalid`. */
export async function listPoints(
  deps: Pick<Deps, 'db' | 'pool'>,
  customerId: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ lines: PointsLine[]; nextCursor: string | null }> {
  const { accountId } = await findCollector(deps, customerId)
  const { lines, nextCursor } = await listLines(runOn(deps.pool), { accountId, filters: {}, ...page })
  return {
    lines: lines.map(({ id, name, amountMinor, note, method, bookedAt }) => ({
      id,
      label: name === null || name.code === 'name' ? 'points.payment' : name.code,
      points: amountMinor,
      note,
      isCompany: note !== null && (name?.code === 'points.direct_debit' || method?.code === 'card'),
      bookedAt: bookedAt.toISOString(),
    })),
    nextCursor,
  }
}
