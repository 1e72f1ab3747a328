import { setMonthly, stopMonthly } from '#server/savings/monthly.ts'
import type { Context } from 'hono'
import {
  goalActivity,
  goalClosedResponse,
  goalCreatedResponse,
  goalList,
  goalLockRequest,
  goalMonthlyRequest,
  goalMoveRequest,
  goalMoveResponse,
  goalRequest,
  newGoalRequest,
  roundUpsRequest,
} from '#contract/savings.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import type { BookedOperation } from '#server/ledger/types.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { readId } from '#server/platform/http/id-param.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { editGoal, lockGoalUntil, openGoal, setRoundUps, unlockGoal } from '#server/savings/change-goal.ts'
import { closeGoal } from '#server/savings/close.ts'
import { activityOf, listGoals } from '#server/savings/list.ts'
import { moveFromGoal, moveToGoal } from '#server/savings/service.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** The number of goals that one customer may open in an hour. The ledger account of a goal stays after the goal is closed. */
const OPENING = { name: 'goal-open', points: 60, seconds: 60 * 60 }

/** Moves money to or from a goal. A repeated request returns the earlier result. */
function moveWith(move: typeof moveToGoal, side: 'credit' | 'debit') {
  return (c: Context<ApiEnv>, goalId: string, amountMinor: number) => {
    const answerOf = ({ legs: [leg] }: BookedOperation) => {
      if (!leg) throw new Error('The ledger gave no answer')
      const balanceMinor = side === 'credit' ? leg.creditBalanceMinor : leg.debitBalanceMinor
      return { amountMinor: leg.amountMinor, asset: leg.asset, savedMinor: Number(balanceMinor) }
    }
    return moveMoney(
      c,
      async ({ operationId: id, fingerprint }) =>
        answerOf(await move(c.get('deps'), c.get('customer'), { id, fingerprint, goalId, amountMinor })),
      answerOf,
    )
  }
}
const add = moveWith(moveToGoal, 'credit')
const withdraw = moveWith(moveFromGoal, 'debit')

export const savingsRoutes = routes('Savings', { live: true })
  .get(
    '/goals',
    { summary: 'Your savings goals, in your order', response: goalList, responseDescription: 'As of now' },
    (c) => listGoals(c.deps, c.customer.id),
  )
  .post(
    '/goals',
    {
      refuses: ['date_not_ahead', 'goals_full'],
      summary: 'Create a goal',
      body: newGoalRequest,
      response: goalCreatedResponse,
      responseDescription: 'Its id',
    },
    async (c) => {
      await countCustomer(c.http, OPENING)
      const [deps, customer, content] = [c.deps, c.customer, c.body]
      const { result } = await runOnce(deps, c.key, (trx) => openGoal(deps, trx, customer.id, content))
      return result
    },
  )
  .put('/goals/{id}', { refuses: ['date_not_ahead'], summary: 'Change a goal', body: goalRequest }, async (c) => {
    await editGoal(c.deps, c.customer.id, c.id, c.body)
  })
  .post(
    // The money still belongs to the customer, so no confirmation is required here. A payment out of the bank may require one.
    '/goals/{id}/deposits',
    {
      money: true,
      refuses: [...POSTING_REFUSALS],
      summary: 'Add money to a goal',
      body: goalMoveRequest,
      response: goalMoveResponse,
      responseDescription: 'The balance of the goal',
    },
    (c) => add(c.http, c.id, c.body.amountMinor),
  )
  .post(
    '/goals/{id}/withdrawals',
    {
      money: true,
      refuses: ['goal_locked', ...POSTING_REFUSALS],
      summary: 'Take money out of a goal',
      body: goalMoveRequest,
      response: goalMoveResponse,
      responseDescription: 'The balance of the goal',
    },
    (c) => withdraw(c.http, c.id, c.body.amountMinor),
  )
  .post(
    '/goals/{id}/close',
    {
      money: true,
      refuses: ['goal_locked', ...POSTING_REFUSALS],
      summary: 'Close a goal',
      description: 'Interest is paid up to yesterday, and the whole balance returns to your current account.',
      response: goalClosedResponse,
      responseDescription: 'The amount returned',
    },
    async (c) => {
      const { returnedMinor } = await closeGoal(c.deps, c.customer, c.id, c.key)
      return { returnedMinor, asset: 'USD' as const }
    },
  )
  .put(
    '/goals/{id}/lock',
    {
      refuses: ['lock_shortened', 'date_not_ahead'],
      summary: 'Lock a goal until a day, or extend its lock',
      description: 'Withdrawals are blocked until then. A pending early unlock is canceled.',
      body: goalLockRequest,
    },
    async (c) => {
      const { lockedUntil } = c.body
      await lockGoalUntil(c.deps, c.customer.id, c.id, lockedUntil)
    },
  )
  .post('/goals/{id}/unlock', { key: 'none', summary: 'Unlock a goal early, in 24 hours' }, async (c) => {
    await unlockGoal(c.deps, c.customer.id, c.id)
  })
  .put(
    '/goals/{id}/monthly',
    {
      money: true,
      summary: 'Set up a monthly move to a goal',
      description:
        'The move is on that day, or on the last day of a shorter month. It is skipped if there is too little money in the account.',
      body: goalMonthlyRequest,
    },
    async (c) => {
      await setMonthly(c.deps, c.customer.id, c.id, c.body)
    },
  )
  .delete('/goals/{id}/monthly', { summary: 'Stop the monthly move to a goal' }, async (c) => {
    await stopMonthly(c.deps, c.customer.id, c.id)
  })
  .put(
    '/round-ups',
    { refuses: ['not_found'], summary: 'Turn round-ups of card payments into a goal on or off', body: roundUpsRequest },
    async (c) => {
      const { goalId, times } = c.body
      await setRoundUps(c.deps, c.customer.id, goalId === null ? null : readId(goalId), times)
    },
  )
  .get(
    '/goals/{id}/activity',
    {
      summary: 'The latest moves in and out of a goal',
      response: goalActivity,
      responseDescription: 'The last 20, newest first',
    },
    (c) => activityOf(c.deps, c.customer.id, c.id),
  )
