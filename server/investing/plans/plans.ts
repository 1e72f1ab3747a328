import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentPlan, InvestmentPlanRequest } from '#contract/investing.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkAmount } from '#server/investing/orders/preview.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { fundPlans, planOf, type PlanOrder } from '#server/investing/plans/plan.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { addOrder, afterDate, changeOrder, lockOrder, planNextRun, readOrder } from '#server/standing-orders/orders.ts'
import { runBefore } from '#server/standing-orders/running.ts'

type PlanDeps = Pick<Deps, 'db' | 'clock' | 'policy'>

/**
 * Has a customer invest so many US cents again and again, once for its key. Whether the money suffices is asked on each
 * date. Throws Refusal `verification_required`, `suitability_needed`, `risk_not_accepted`, `unsuitable_fund`,
 * `investment_too_small`, `amount_too_large`, `schedule_date_invalid` and `plans_full`.
 */
export async function createPlan(
  deps: PlanDeps,
  customer: Pick<Customer, 'id' | 'verified'>,
  { fund, amountMinor, every, startsOn, acceptsMismatch: accepts }: InvestmentPlanRequest,
  key: RequestKey,
): Promise<InvestmentPlan> {
  const acceptsMismatch = accepts === true
  const { result: id } = await once(deps, key, async (trx) => {
    checkAmount(deps, amountMinor)
    await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
    return addOrder(deps, trx, fundPlans, {
      customerId: customer.id,
      amountMinor,
      terms: { fund, acceptsMismatch },
      every,
      startsOn,
    })
  })
  return readPlan(deps, customer.id, id)
}

async function readPlan({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<InvestmentPlan> {
  return planOf(await readOrder(db, fundPlans, customerId, id))
}

/**
 * Pauses a plan; asking again changes nothing. A date that is due is invested all the same: its price may be known. Throws
 * Refusal `not_found`, and `plan_over` for one that was cancelled.
 */
export async function pausePlan(deps: Deps, customerId: string, id: string): Promise<InvestmentPlan> {
  await runBefore(deps, fundPlans, customerId, id)
  return changePlan(deps, customerId, id, () => ({ status: 'paused' }))
}

/**
 * Goes on with a plan from its next date on; dates that passed meanwhile are passed over. Asking again changes nothing.
 * Throws Refusal `not_found`, `plan_over` for one that was cancelled, and what checkMayBuy refuses.
 */
export async function resumePlan(
  deps: PlanDeps,
  customer: Pick<Customer, 'id' | 'verified'>,
  id: string,
): Promise<InvestmentPlan> {
  const now = deps.clock.businessNow()
  return changePlan(deps, customer.id, id, async (row, trx) => {
    if (row.status === 'active') return {}
    const { fund, acceptsMismatch } = row.terms
    await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
    const dates: Pick<PlanOrder, 'passed' | 'next_on' | 'try_at'> = { ...row }
    while (dayOf(dates.try_at) < dayOf(now)) Object.assign(dates, afterDate(fundPlans, { ...row, ...dates }))
    const { passed, next_on, try_at } = dates
    return { passed, next_on, try_at, status: 'active', active_since: now }
  })
}

/** Ends a plan, but for a date that is due, as pausePlan does; asking again changes nothing. Throws Refusal `not_found`. */
export async function cancelPlan(deps: Deps, customerId: string, id: string): Promise<InvestmentPlan> {
  await runBefore(deps, fundPlans, customerId, id)
  const plan = await readPlan(deps, customerId, id)
  return plan.status === 'cancelled' ? plan : changePlan(deps, customerId, id, () => ({ status: 'cancelled' }))
}

type Changes = Parameters<typeof changeOrder>[2]

async function changePlan(
  deps: PlanDeps,
  customerId: string,
  id: string,
  changesOf: (row: PlanOrder, trx: Transaction<Database>) => Changes | Promise<Changes>,
): Promise<InvestmentPlan> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockOrder(trx, fundPlans, customerId, id)
    if (row.status === 'cancelled') throw new Refusal('plan_over')
    const changes = await changesOf(row, trx)
    if (Object.keys(changes).length === 0) return
    await changeOrder(trx, row, changes)
    await planNextRun(trx, fundPlans, customerId)
  })
  return readPlan(deps, customerId, id)
}
