import { randomUUIDv7 } from 'node:crypto'
import type { Transaction, Updateable } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentPlan, InvestmentPlanRequest } from '#contract/investing.ts'
import { PLANS_MOST } from '#contract/investment-terms.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { planNextRun } from '#server/investing/orders/next-run.ts'
import { checkAmount } from '#server/investing/orders/preview.ts'
import { afterDate, lockPlan, planOf, type PlanRow } from '#server/investing/plans/plan.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { doWhatIsDue } from '#server/investing/plans/catch-up.ts'
import type { RunDeps } from '#server/investing/plans/due.ts'
import { dayOf } from '#server/platform/days.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { dueOn, dueUpTo, mayBeScheduled } from '#server/schedules/calendar.ts'

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
  const [now, acceptsMismatch] = [deps.clock.businessNow(), accepts === true]
  const { result: id } = await once(deps, key, async (trx) => {
    checkAmount(deps, amountMinor)
    await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
    if (!mayBeScheduled(startsOn, now)) throw new Refusal('schedule_date_invalid', 'startsOn')
    await makeRoom(trx, customer.id)
    const made = { id: randomUUIDv7(), customer_id: customer.id, created_at: now, active_since: now }
    const what = { fund, amount_minor: amountMinor, every, accepts_mismatch: acceptsMismatch }
    const dates = { anchor_on: startsOn, next_on: startsOn, due_on: dueOn(startsOn) }
    await trx
      .insertInto('bank.fund_plan')
      .values({ ...made, ...what, ...dates })
      .execute()
    await planNextRun(trx, deps, customer.id)
    return made.id
  })
  return readPlan(deps, customer.id, id)
}

/** Throws Refusal `plans_full`, and `sign_in_required` for a customer who has closed at this moment. */
async function makeRoom(trx: Transaction<Database>, customerId: string): Promise<void> {
  // Two that are made at once are counted one after the other, and none is left behind by a customer who is closing.
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
  const { count } = await trx
    .selectFrom('bank.fund_plan')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .executeTakeFirstOrThrow()
  if (count >= PLANS_MOST) throw new Refusal('plans_full')
}

async function readPlan({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<InvestmentPlan> {
  const row = await db
    .selectFrom('bank.fund_plan')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return planOf(row)
}

/**
 * Pauses a plan; asking again changes nothing. A date that is due is invested all the same: its price may be known. Throws
 * Refusal `not_found`, and `plan_over` for one that was cancelled.
 */
export async function pausePlan(deps: RunDeps, customerId: string, id: string): Promise<InvestmentPlan> {
  await placeDueDates(deps, customerId, id)
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
    const { fund, accepts_mismatch: acceptsMismatch } = row
    await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
    let dates: Pick<PlanRow, 'passed' | 'next_on' | 'due_on'> = row
    while (dates.due_on < dayOf(now)) dates = afterDate({ ...row, ...dates })
    const { passed, next_on, due_on } = dates
    return { passed, next_on, due_on, status: 'active', active_since: now }
  })
}

/** Ends a plan, but for a date that is due, as pausePlan does; asking again changes nothing. Throws Refusal `not_found`. */
export async function cancelPlan(deps: RunDeps, customerId: string, id: string): Promise<InvestmentPlan> {
  await placeDueDates(deps, customerId, id)
  const plan = await readPlan(deps, customerId, id)
  return plan.status === 'cancelled' ? plan : changePlan(deps, customerId, id, () => ({ status: 'cancelled' }))
}

/** Does what is due of a customer where that includes a date of this plan: a job that is late gives nobody a choice. */
async function placeDueDates(deps: RunDeps, customerId: string, id: string): Promise<void> {
  const { status, dueOn: due } = await readPlan(deps, customerId, id)
  if (status === 'active' && due <= dueUpTo(deps.clock.businessNow())) await doWhatIsDue(deps, customerId)
}

type Changes = Updateable<Database['bank.fund_plan']>

async function changePlan(
  deps: PlanDeps,
  customerId: string,
  id: string,
  changesOf: (row: PlanRow, trx: Transaction<Database>) => Changes | Promise<Changes>,
): Promise<InvestmentPlan> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
    const row = await lockPlan(trx, id)
    if (row?.customer_id !== customerId) throw new Refusal('not_found')
    if (row.status === 'cancelled') throw new Refusal('plan_over')
    const changes = await changesOf(row, trx)
    if (Object.keys(changes).length === 0) return
    await trx.updateTable('bank.fund_plan').set(changes).where('id', '=', id).execute()
    await planNextRun(trx, deps, customerId)
  })
  return readPlan(deps, customerId, id)
}
