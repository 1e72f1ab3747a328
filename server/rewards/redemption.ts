import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Redemption } from '#contract/rewards-api.ts'
import { type Reward, REWARDS } from '#contract/rewards.ts'
import type { Label } from '#contract/line-texts.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { BookedOperation, Leg, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { type Collector, ensureCollectors, lockCollectors, randomCode } from '#server/rewards/collectors.ts'
import { addMonth } from '#server/rewards/premium.ts'

/** The beginning of a sample code, which no shop accepts. */
const SAMPLE = 'SAMPLE-'

/** Returns whether this bank offers the reward. */
export function isOffered({ policy }: Pick<Deps, 'policy'>, reward: Reward): boolean {
  return REWARDS[reward].kind !== 'code' || policy.rewards.partnerCodes !== null
}

/**
 * Takes a customer's points and gives them the reward in the same operation. Throws Refusal `reward_unavailable` for a reward
 * that this bank does not offer, `points_short` if there are too few points, and the ledger's refusals.
 */
export async function redeem(
  deps: Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock'>,
  customer: Customer,
  reward: Reward,
  key: RequestKey,
): Promise<BookedOperation> {
  if (!isOffered(deps, reward)) throw new Refusal('reward_unavailable')
  await ensureCollectors(deps, [customer.id])
  try {
    return await deps.ledger.postWithRows({
      customerId: customer.id,
      async operation(trx) {
        const collector = (await lockCollectors(trx, [customer.id])).get(customer.id)
        if (!collector) throw new Refusal('account_closed')
        return redeemOperation(deps, { customer, collector, reward, key })
      },
      also: (trx, booked) => hand(trx, { customer, reward, booked }),
    })
  } catch (error) {
    // Only the points can be insufficient in this operation.
    if (error instanceof Refusal && error.code === 'insufficient_funds') throw new Refusal('points_short')
    throw error
  }
}

type Redeeming = { customer: Customer; collector: Collector; reward: Reward; key: RequestKey }

function redeemOperation({ clock }: Pick<Deps, 'clock'>, { customer, collector, reward, key }: Redeeming): Operation {
  const label: Label = `points.${reward}`
  const bought = REWARDS[reward]
  const points: Leg = {
    kind: 'transfer',
    debit: collector.accountId,
    credit: bankAccount('points_issued', 'POINTS'),
    amountMinor: bought.points,
    detail: { label },
  }
  const cashback = (amountMinor: number): Leg => ({
    kind: 'transfer',
    debit: bankAccount('rewards_expense'),
    credit: customer.currentAccountId,
    amountMinor,
    detail: { label: 'rewards.cashback', category: 'income' },
  })
  return {
    id: key.operationId,
    kind: 'rewards.redeem',
    fingerprint: key.fingerprint,
    bookedAt: clock.businessNow(),
    legs: bought.kind === 'cashback' ? [points, cashback(bought.cashbackMinor)] : [points],
  }
}

/** Gives the customer the part of a reward that is not money: a month of Premium or a code. Stores the redemption. */
async function hand(
  trx: Transaction<Database>,
  { customer, reward, booked }: { customer: Customer; reward: Reward; booked: BookedOperation },
): Promise<void> {
  const { points, kind } = REWARDS[reward]
  const { id, bookedAt } = booked
  if (kind === 'premium') await addMonth(trx, customer.id, bookedAt)
  await trx
    .insertInto('bank.redemption')
    .values({
      id,
      customer_id: customer.id,
      reward,
      points,
      code: kind === 'code' ? `${SAMPLE}${randomCode(4)}-${randomCode(4)}-${randomCode(4)}` : null,
      redeemed_at: bookedAt,
    })
    .execute()
}

/** The place of a redemption in a customer's list. */
export type RedemptionPlace = Pick<Redemption, 'redeemedAt' | 'id'>

/** Returns a customer's redemptions, newest first. `before` is the last one of the previous page. */
export async function redemptionsOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { before = null, limit, codesOnly = false }: { before?: RedemptionPlace | null; limit: number; codesOnly?: boolean },
): Promise<Redemption[]> {
  let query = deps.db.selectFrom('bank.redemption').selectAll().where('customer_id', '=', customerId)
  if (codesOnly) query = query.where('code', 'is not', null)
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('redeemed_at', 'id'), '<', tuple(new Date(before.redeemedAt), before.id)),
    )
  const rows = await query.orderBy('redeemed_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(redemptionOf)
}

function redemptionOf(row: Selectable<Database['bank.redemption']>): Redemption {
  return {
    id: row.id,
    reward: row.reward,
    points: row.points,
    code: row.code,
    isSample: row.code?.startsWith(SAMPLE) ?? false,
    redeemedAt: row.redeemed_at.toISOString(),
  }
}

/** Returns one of the customer's redemptions. Throws Refusal `not_found`, also for another customer's. */
export async function findRedemption(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Redemption> {
  const row = await deps.db
    .selectFrom('bank.redemption')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return redemptionOf(row)
}
