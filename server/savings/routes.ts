import { setMonthly, stopMonthly } from '#server/savings/monthly.ts'
import type { Context } from 'hono'
import {
  goalActivity,
  goalClosedResponse,
  goalCreated,
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
import { countCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Booked } from '#server/ledger/types.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { readId } from '#server/platform/http/id-param.ts'
import { once } from '#server/platform/once.ts'
import { editGoal, lockGoalUntil, openGoal, setRoundUps, unlockGoal } from '#server/savings/changes.ts'
import { closeGoal } from '#server/savings/close.ts'
import { activityOf, listGoals } from '#server/savings/list.ts'
import { moveFromGoal, moveToGoal } from '#server/savings/service.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** A goal that is closed leaves its account: so many in an hour for one customer. */
const OPENING = { name: 'goal-open', points: 60, seconds: 60 * 60 }

/** Moves money to or from a goal; a repetition is answered as before. */
function moveWith(move: typeof moveToGoal, side: 'credit' | 'debit') {
  return (c: Context<ApiEnv>, goalId: string, amountMinor: number) => {
    const answerOf = ({ legs: [leg] }: Booked) => {
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
      summary: 'Make a goal',
      body: newGoalRequest,
      response: goalCreated,
      responseDescription: 'Its id',
    },
    async (c) => {
      await countCustomer(c.http, OPENING)
      const [deps, customer, content] = [c.deps, c.customer, c.body]
      const { result } = await once(deps, c.key, (trx) => openGoal(deps, trx, customer.id, content))
      return result
    },
  )
  .put(
    '/goals/{id}',
    { refuses: ['date_not_ahead'], summary: 'Change what a goal is for', body: goalRequest },
    async (c) => {
      await editGoal(c.deps, c.customer.id, c.id, c.body)
    },
  )
  .post(
    // Money stays the customer's own: to leave the bank it has to be sent, which asks for a proof where one is due.
    '/goals/{id}/deposits',
    {
      money: true,
      refuses: [...POSTING_REFUSALS],
      summary: 'Add money to a goal',
      body: goalMoveRequest,
      response: goalMoveResponse,
      responseDescription: 'What the goal holds then',
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
      responseDescription: 'What the goal holds then',
    },
    (c) => withdraw(c.http, c.id, c.body.amountMinor),
  )
  .post(
    '/goals/{id}/close',
    {
      money: true,
      refuses: ['goal_locked', ...POSTING_REFUSALS],
      summary: 'Close a goal',
      description: 'Interest is paid up to yesterday, and all that is in the goal goes back to your current account.',
      response: goalClosedResponse,
      responseDescription: 'What went back',
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
      summary: 'Lock a goal until a day, or for longer',
      description: 'Nothing is withdrawn before then. An early unlock that was asked for is called off.',
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
      summary: 'Add to a goal each month',
      description:
        'On that day, or on the last of a month that is shorter; skipped where there is too little in the account.',
      body: goalMonthlyRequest,
    },
    async (c) => {
      await setMonthly(c.deps, c.customer.id, c.id, c.body)
    },
  )
  .delete('/goals/{id}/monthly', { summary: 'No longer add to a goal each month' }, async (c) => {
    await stopMonthly(c.deps, c.customer.id, c.id)
  })
  .put(
    '/round-ups',
    { refuses: ['not_found'], summary: 'Round card payments up into a goal, or no longer', body: roundUpsRequest },
    async (c) => {
      const { goalId, times } = c.body
      await setRoundUps(c.deps, c.customer.id, goalId === null ? null : readId(goalId), times)
    },
  )
  .get(
    '/goals/{id}/activity',
    {
      summary: 'What last moved in and out of a goal',
      response: goalActivity,
      responseDescription: 'The last 20, newest first',
    },
    (c) => activityOf(c.deps, c.customer.id, c.id),
  )
