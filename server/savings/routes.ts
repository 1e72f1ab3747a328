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
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import type { Booked } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { answers, body, done } from '#server/platform/http/described.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { once } from '#server/platform/once.ts'
import {
  editGoal,
  lockGoalUntil,
  openGoal,
  setMonthly,
  setRoundUps,
  stopMonthly,
  unlockGoal,
} from '#server/savings/changes.ts'
import { closeGoal } from '#server/savings/close.ts'
import { activityOf, listGoals } from '#server/savings/list.ts'
import { moveFromGoal, moveToGoal } from '#server/savings/service.ts'

const tags = ['Savings']

/** A goal that is closed leaves its account: so many in an hour for one customer. */
const OPENING = { name: 'goal-open', points: 60, seconds: 60 * 60 }

const getGoals = defineRoute({
  method: 'get',
  path: '/goals',
  summary: 'Your savings goals, in your order',
  tags,
  responses: answers('As of now', goalList),
})

const postGoal = defineRoute({
  method: 'post',
  path: '/goals',
  summary: 'Make a goal',
  tags,
  request: { body: body(newGoalRequest) },
  responses: answers('Its id', goalCreated),
})

const putGoal = defineRoute({
  method: 'put',
  path: '/goals/{id}',
  summary: 'Change what a goal is for',
  tags,
  request: { params: idParam, body: body(goalRequest) },
  responses: done,
})

// Money stays the customer's own: to leave the bank it has to be sent, which asks for a proof where one is due.
const postDeposit = defineRoute({
  method: 'post',
  path: '/goals/{id}/deposits',
  needs: { money: true },
  summary: 'Add money to a goal',
  tags,
  request: { params: idParam, body: body(goalMoveRequest) },
  responses: answers('What the goal holds then', goalMoveResponse),
})

const postWithdrawal = defineRoute({
  method: 'post',
  path: '/goals/{id}/withdrawals',
  needs: { money: true },
  summary: 'Take money out of a goal',
  tags,
  request: { params: idParam, body: body(goalMoveRequest) },
  responses: answers('What the goal holds then', goalMoveResponse),
})

const postClosure = defineRoute({
  method: 'post',
  path: '/goals/{id}/close',
  needs: { money: true },
  summary: 'Close a goal',
  description: 'Interest is paid up to yesterday, and all that is in the goal goes back to your current account.',
  tags,
  request: { params: idParam },
  responses: answers('What went back', goalClosedResponse),
})

const putLock = defineRoute({
  method: 'put',
  path: '/goals/{id}/lock',
  summary: 'Lock a goal until a day, or for longer',
  description: 'Nothing is withdrawn before then. An early unlock that was asked for is called off.',
  tags,
  request: { params: idParam, body: body(goalLockRequest) },
  responses: done,
})

const postUnlock = defineRoute({
  method: 'post',
  path: '/goals/{id}/unlock',
  needs: { key: 'none' },
  summary: 'Unlock a goal early, in 24 hours',
  tags,
  request: { params: idParam },
  responses: done,
})

const putMonthly = defineRoute({
  method: 'put',
  path: '/goals/{id}/monthly',
  needs: { money: true },
  summary: 'Add to a goal each month',
  description:
    'On that day, or on the last of a month that is shorter; skipped where there is too little in the account.',
  tags,
  request: { params: idParam, body: body(goalMonthlyRequest) },
  responses: done,
})

const deleteMonthly = defineRoute({
  method: 'delete',
  path: '/goals/{id}/monthly',
  summary: 'No longer add to a goal each month',
  tags,
  request: { params: idParam },
  responses: done,
})

const putRoundUps = defineRoute({
  method: 'put',
  path: '/round-ups',
  summary: 'Round card payments up into a goal, or no longer',
  tags,
  request: { body: body(roundUpsRequest) },
  responses: done,
})

const getActivity = defineRoute({
  method: 'get',
  path: '/goals/{id}/activity',
  summary: 'What last moved in and out of a goal',
  tags,
  request: { params: idParam },
  responses: answers('The last 20, newest first', goalActivity),
})

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

export function savingsRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitOpening = limitByCustomer({ limiters }, OPENING)
  return router({ live: true })
    .openapi(getGoals, async (c) => c.json(await listGoals(c.get('deps'), c.get('customer').id), 200))
    .openapi(postGoal, async (c) => {
      await limitOpening(c, async () => undefined)
      const [deps, customer, content] = [c.get('deps'), c.get('customer'), c.req.valid('json')]
      const { result } = await once(deps, c.get('key'), (trx) => openGoal(deps, trx, customer.id, content))
      return c.json(result, 200)
    })
    .openapi(putGoal, async (c) => {
      await editGoal(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id), c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(postDeposit, async (c) => {
      return c.json(await add(c, readId(c.req.valid('param').id), c.req.valid('json').amountMinor), 200)
    })
    .openapi(postWithdrawal, async (c) => {
      return c.json(await withdraw(c, readId(c.req.valid('param').id), c.req.valid('json').amountMinor), 200)
    })
    .openapi(postClosure, async (c) => {
      const { returnedMinor } = await closeGoal(
        c.get('deps'),
        c.get('customer'),
        readId(c.req.valid('param').id),
        c.get('key'),
      )
      return c.json({ returnedMinor, asset: 'USD' as const }, 200)
    })
    .openapi(putLock, async (c) => {
      const { lockedUntil } = c.req.valid('json')
      await lockGoalUntil(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id), lockedUntil)
      return c.body(null, 204)
    })
    .openapi(postUnlock, async (c) => {
      await unlockGoal(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
    .openapi(putMonthly, async (c) => {
      await setMonthly(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id), c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(deleteMonthly, async (c) => {
      await stopMonthly(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
    .openapi(putRoundUps, async (c) => {
      const { goalId, times } = c.req.valid('json')
      await setRoundUps(c.get('deps'), c.get('customer').id, goalId === null ? null : readId(goalId), times)
      return c.body(null, 204)
    })
    .openapi(getActivity, async (c) => {
      return c.json(await activityOf(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200)
    })
}
