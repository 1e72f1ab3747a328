import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentPlan, InvestmentPlanRequest } from '#contract/investing.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkAmount } from '#server/investing/orders/preview.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { fundPlans, investmentPlanOf, type PlanOrder } from '#server/investing/plans/plan.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import {
  addOrder,
  columnsAfterDate,
  changeOrder,
  lockStandingOrder,
  planNextRun,
  readStandingOrder,
} from '#server/standing-orders/orders.ts'
import { runDueBefore } from '#server/standing-orders/running.ts'

type PlanDeps = Pick<Deps, 'db' | 'clock' | 'policy'>

/**
 * Creates a plan that invests an amount in US cents repeatedly. A repeated request with the same key creates no second plan.
 * The balance is checked only on each date. Throws Refusal `verification_required`, `suitability_needed`, `risk_not_accepted`,
 * `unsuitable_fund`, `investment_too_small`, `amount_too_large`, `schedule_date_invalid` and `plans_full`.
 */
export async function createPlan(
  deps: PlanDeps,
  customer: Pick<Customer, 'id' | 'verified'>,
  { fund, amountMinor, every, startsOn, acceptsMismatch: accepts }: InvestmentPlanRequest,
  key: RequestKey,
): Promise<InvestmentPlan> {
  const acceptsMismatch = accepts === true
  const { result: id } = await runOnce(deps, key, async (trx) => {
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
  return investmentPlanOf(await readStandingOrder(db, fundPlans, customerId, id))
}

/**
 * Pauses a plan. A repetition changes nothing. A purchase that is already due is still made, because the customer may already
 * know its price. Throws Refusal `not_found`, and `plan_over` for a canceled plan.
 */
export async function pausePlan(deps: Deps, customerId: string, id: string): Promise<InvestmentPlan> {
  await runDueBefore(deps, fundPlans, customerId, id)
  return changePlan(deps, customerId, id, () => ({ status: 'paused' }))
}

/**
 * Resumes a plan from its next date on. Dates that passed during the pause are skipped. A repetition changes nothing. Throws
 * Refusal `not_found`, `plan_over` for a canceled plan, and the errors of `checkMayBuy`.
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
    while (dayOf(dates.try_at) < dayOf(now)) Object.assign(dates, columnsAfterDate(fundPlans, { ...row, ...dates }))
    const { passed, next_on, try_at } = dates
    return { passed, next_on, try_at, status: 'active', active_since: now }
  })
}

/**
 * Cancels a plan. A purchase that is already due is still made, as in `pausePlan`. A repetition changes nothing. Throws Refusal
 * `not_found`.
 */
export async function cancelPlan(deps: Deps, customerId: string, id: string): Promise<InvestmentPlan> {
  await runDueBefore(deps, fundPlans, customerId, id)
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
    const row = await lockStandingOrder(trx, fundPlans, customerId, id)
    if (row.status === 'cancelled') throw new Refusal('plan_over')
    const changes = await changesOf(row, trx)
    if (Object.keys(changes).length === 0) return
    await changeOrder(trx, row, changes)
    await planNextRun(trx, fundPlans, customerId)
  })
  return readPlan(deps, customerId, id)
}
