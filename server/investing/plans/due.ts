import type { Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { orderNotices } from '#server/investing/orders/notices.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { placePurchase } from '#server/investing/orders/place.ts'
import { afterDate, lockPlan, type PlanRow } from '#server/investing/plans/plan.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { marketOf } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { paidFrom } from '#server/schedules/calendar.ts'

/** Of a fund that has no price yet there is room for whatever a plan buys. */
const NEVER_PRICED = Number.MAX_SAFE_INTEGER

/** What doing what is due of a customer needs. */
export type RunDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'prices' | 'events'>

/** The moment as of which a plan's order is placed, however late that is done; business time. */
export function placedAt({ due_on, active_since }: Pick<PlanRow, 'due_on' | 'active_since'>): Date {
  const due = paidFrom(due_on)
  // A plan that was made later that day may not have a price that was known then.
  return due > active_since ? due : active_since
}

/**
 * Places the order of a plan's next date, or passes over the date where that is refused, and tells the customer. The order
 * and the plan change in one commit, and only while the plan is as it was read. Done again, or twice at once, it places no
 * date twice.
 */
export async function placeDate(deps: RunDeps, row: PlanRow): Promise<void> {
  const { price } = await marketOf(deps, row.fund)
  try {
    await inTransaction(deps.db, async (trx) => {
      const customer = await takeDate(trx, row)
      if (!customer) return
      // The customer may have answered the questions anew since they made the plan.
      const { fund, accepts_mismatch: acceptsMismatch } = row
      await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
      const { id, derivedFrom } = derived('investing', row.id, `order:${row.next_on}`)
      await placePurchase(deps, trx, {
        id,
        derivedFrom,
        fingerprint: fingerprintOf('investing.plan', row.id, row.next_on),
        customer,
        fund,
        amountMinor: row.amount_minor,
        acceptsMismatch,
        placedAt: placedAt(row),
        priceMicros: price?.priceMicros ?? NEVER_PRICED,
        plan: { id: row.id, on: row.next_on },
      })
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    await skipDate(deps, row, error)
  }
}

/** Moves a plan on from its date, and answers whose it is; null where the plan has changed, or its customer has closed. */
async function takeDate(trx: Transaction<Database>, row: PlanRow) {
  if (!(await lockCustomer(trx, row.customer_id))) return null
  const locked = await lockPlan(trx, row.id)
  if (locked?.status !== 'active' || locked.next_on !== row.next_on) return null
  await trx.updateTable('bank.fund_plan').set(afterDate(row)).where('id', '=', row.id).execute()
  const customer = await trx
    .selectFrom('bank.customer')
    .select(['current_account_id', 'verified_at'])
    .where('id', '=', row.customer_id)
    .executeTakeFirstOrThrow()
  const { current_account_id: currentAccountId, verified_at: verifiedAt } = customer
  return { id: row.customer_id, currentAccountId, verified: verifiedAt !== null }
}

/** Why a date was skipped, as its notice says it. */
const REASONS: Partial<Record<ErrorCode, 'funds' | 'unsuitable'>> = {
  insufficient_funds: 'funds',
  unsuitable_fund: 'unsuitable',
}

async function skipDate(deps: RunDeps, row: PlanRow, { code }: Refusal): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if ((await takeDate(trx, row)) === null) return
    const params = {
      fund: row.fund,
      amountMinor: row.amount_minor,
      asset: 'USD' as const,
      reason: REASONS[code] ?? ('other' as const),
    }
    await notify(deps, trx, { customerId: row.customer_id, ...orderNotices.skipped, params })
  })
}
