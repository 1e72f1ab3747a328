import { HOUR_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type RoundUpTimes, UNLOCK_HOURS } from '#contract/goals.ts'
import type { GoalRequest, NewGoalRequest } from '#contract/savings.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { notify } from '#server/notifications/service.ts'
import { createGoalsWithin, isGoalLocked, lockGoal } from '#server/savings/service.ts'

/** Throws Refusal `date_not_ahead` unless the day is after today. Null is allowed. */
function checkAhead({ clock }: Pick<Deps, 'clock'>, field: 'targetOn' | 'lockedUntil', day: string | null): void {
  if (day !== null && day <= dayOf(clock.businessNow())) throw new Refusal('date_not_ahead', field)
}

/** Opens a goal and returns its id. Throws Refusal `date_not_ahead` and `goals_full`. */
export async function openGoal(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  goal: NewGoalRequest,
): Promise<{ id: string }> {
  checkAhead(deps, 'targetOn', goal.targetOn)
  checkAhead(deps, 'lockedUntil', goal.lockedUntil)
  const [createdGoal] = await createGoalsWithin(deps, trx, customerId, [goal])
  if (!createdGoal) throw new Error('No goal was made')
  return { id: createdGoal.id }
}

/**
 * Changes a goal's name, icon, target amount and target date. A new target date must be in the future; an unchanged one may be
 * in the past. Throws Refusal `not_found` and `date_not_ahead`.
 */
export async function editGoal(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  goalId: string,
  { name, icon, targetMinor, targetOn }: GoalRequest,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const goal = await lockGoal(trx, customerId, goalId)
    if (targetOn !== goal.targetOn) checkAhead(deps, 'targetOn', targetOn)
    const changes = { name, icon, target_minor: targetMinor, target_on: targetOn }
    await trx.updateTable('bank.goal').set(changes).where('id', '=', goalId).execute()
  })
}

/**
 * Locks a goal until a day, or extends its lock. Cancels a scheduled early unlock. Throws Refusal `not_found`, `date_not_ahead`
 * unless the day is after today, and `lock_shortened` if the goal is already locked until a later day.
 */
export async function lockGoalUntil(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  goalId: string,
  lockedUntil: string,
): Promise<void> {
  checkAhead(deps, 'lockedUntil', lockedUntil)
  await inTransaction(deps.db, async (trx) => {
    const goal = await lockGoal(trx, customerId, goalId)
    const stays = isGoalLocked(goal, deps.clock.businessNow()) ? goal.lockedUntil : null
    if (stays !== null && lockedUntil < stays) throw new Refusal('lock_shortened', 'lockedUntil')
    const changes = { locked_until: lockedUntil, unlocks_at: null }
    await trx.updateTable('bank.goal').set(changes).where('id', '=', goalId).execute()
  })
}

/**
 * Schedules an early unlock of a goal, one day from now (docs/decisions/0088). Does nothing if the goal is not locked or its
 * early unlock is already scheduled. Throws Refusal `not_found`.
 */
export async function unlockGoal(
  deps: Pick<Deps, 'db' | 'clock' | 'events'>,
  customerId: string,
  goalId: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const goal = await lockGoal(trx, customerId, goalId)
    const now = deps.clock.businessNow()
    if (!isGoalLocked(goal, now) || goal.unlocksAt !== null) return
    const unlocksAt = new Date(now.getTime() + UNLOCK_HOURS * HOUR_MS)
    await trx.updateTable('bank.goal').set({ unlocks_at: unlocksAt }).where('id', '=', goalId).execute()
    const params = { name: goal.name, unlocksAt: unlocksAt.toISOString() }
    await notify(deps, trx, { customerId, kind: 'goal_unlocking', params })
  })
}

/**
 * Sends the round-ups of card payments to one goal instead of any earlier one. Turns round-ups off if `goalId` is null. Throws
 * Refusal `not_found`.
 */
export async function setRoundUps(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  goalId: string | null,
  times: RoundUpTimes,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    // The lock puts simultaneous requests in sequence, so that only one goal receives round-ups.
    await lockCustomer(trx, customerId)
    if (goalId !== null) await lockGoal(trx, customerId, goalId)
    await trx
      .updateTable('bank.goal')
      .set({ round_up_times: null })
      .where('customer_id', '=', customerId)
      .where('round_up_times', 'is not', null)
      .execute()
    if (goalId === null) return
    await trx.updateTable('bank.goal').set({ round_up_times: times }).where('id', '=', goalId).execute()
  })
}
