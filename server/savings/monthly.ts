import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { GoalMonthlyRequest } from '#contract/savings.ts'
import { monthsApart, nextMonthly } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { findGoal, goalMoveOperation, lockGoal } from '#server/savings/service.ts'
import type { StandingOrderKind } from '#server/standing-orders/kind.ts'
import { planNextRun, firstTryTime } from '#server/standing-orders/orders.ts'

/** The ledger's refusals after which a monthly move is skipped until the next month. */
const SKIPPED = new Set(['insufficient_funds', 'account_frozen', 'balance_limit_reached'])

/** Monthly moves of money to goals. Each standing order has the id of its goal. */
export const monthlyMoves: StandingOrderKind<object> = {
  name: 'saving',
  terms: z.object({}),
  hour: 0,
  onBusinessDays: false,
  retries: false,
  overdue: { name: 'monthly moves to goals that were not made in time', afterHours: 1 },
  isRefused: (code) => SKIPPED.has(code),
  perform: (deps, { id: goalId, next_on: dueOn, amount_minor: amountMinor }, { book }) =>
    book(async (trx, { id: customerId, currentAccountId: current }) => {
      const operation = goalMoveOperation({
        ...derivedIdentity('savings', goalId, `monthly:${dueOn}`),
        fingerprint: fingerprintOf('savings.monthly', goalId, dueOn),
        current,
        goal: await lockGoal(trx, customerId, goalId),
        label: 'savings.monthly',
        amountMinor,
        bookedAt: deps.clock.businessNow(),
      })
      await deps.ledger.postWithin(runIn(trx), [operation])
    }),
  refused: async (deps, trx, { id: goalId, customer_id: customerId, amount_minor: amountMinor }, { code }) => {
    if (code !== 'insufficient_funds') return
    const { name, asset } = await findGoal(trx, customerId, goalId)
    await notify(deps, trx, { customerId, kind: 'goal_move_skipped', params: { amountMinor, asset, name } })
  },
}

/**
 * Sets up a monthly move of an amount from the customer's current account to a goal. The first move is on the next such day of
 * the month. Throws Refusal `not_found`.
 */
export async function setMonthly(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  goalId: string,
  { amountMinor, dayOfMonth }: GoalMonthlyRequest,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockGoal(trx, customerId, goalId)
    const now = deps.clock.businessNow()
    // The anchor is in January, which has every day from 1 to 31.
    const anchor_on = `2000-01-${String(dayOfMonth).padStart(2, '0')}`
    const next_on = nextMonthly(dayOfMonth, dayOf(now))
    const dates = {
      anchor_on,
      passed: monthsApart(anchor_on, next_on),
      next_on,
      try_at: firstTryTime(monthlyMoves, next_on),
    }
    const columns = { ...dates, amount_minor: amountMinor, status: 'active', active_since: now } as const
    await trx
      .insertInto('bank.standing_order')
      .values({
        id: goalId,
        kind: 'saving',
        customer_id: customerId,
        terms: '{}',
        every: 'month',
        created_at: now,
        ...columns,
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ ...columns, version: sql`standing_order.version + 1` }),
      )
      .execute()
    await planNextRun(trx, monthlyMoves, customerId)
  })
}

/** Stops a goal's monthly move. Throws Refusal `not_found`. */
export async function stopMonthly(deps: Pick<Deps, 'db'>, customerId: string, goalId: string): Promise<void> {
  await findGoal(deps.db, customerId, goalId)
  await inTransaction(deps.db, (trx) => endMonthly(trx, customerId, goalId))
}

/** Stops a goal's monthly move within the SQL transaction that closes the goal. */
export async function endMonthly(trx: Transaction<Database>, customerId: string, goalId: string): Promise<void> {
  await trx
    .updateTable('bank.standing_order')
    .set(({ eb }) => ({ status: 'cancelled', version: eb('version', '+', 1) }))
    .where('id', '=', goalId)
    .where('status', '=', 'active')
    .execute()
  await planNextRun(trx, monthlyMoves, customerId)
}
