import { endMonthly } from '#server/savings/monthly.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { accountsById, closeAccount } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { MILLIONTHS, wholeCents } from '#server/savings/interest.ts'
import { countInterest, interestDetail, lastDayWithInterest } from '#server/savings/interest-payments.ts'
import { isGoalLocked, type GoalTerms, lockGoal, goalMoveDetail } from '#server/savings/service.ts'

type CloseDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy'>

/** The largest number of tries. A try fails if money arrives in the goal while it is being closed. */
const TRIES = 5

/**
 * Closes a goal: pays its interest up to yesterday in whole cents, and moves its whole balance to the current account. Returns
 * the moved amount in US cents. Throws Refusal `not_found`, `goal_locked`, and the ledger's refusals.
 */
export async function closeGoal(
  deps: CloseDeps,
  customer: { id: string; currentAccountId: AccountId },
  goalId: string,
  key: RequestKey,
): Promise<{ returnedMinor: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result } = await runOnce(deps, key, async (trx) => {
        const goal = await lockGoal(trx, customer.id, goalId)
        if (isGoalLocked(goal, deps.clock.businessNow())) throw new Refusal('goal_locked')
        return { returnedMinor: await giveBack(deps, trx, { goal, current: customer.currentAccountId, key }) }
      })
      return result
    } catch (error) {
      if (!(error instanceof MovedMeanwhile)) throw error
      if (attempt === TRIES) throw new Refusal('unavailable', undefined, { cause: error })
    }
  }
}

/** Thrown if money arrived in the goal between reading and closing. The caller starts again. */
class MovedMeanwhile extends Error {}

type Closing = { goal: GoalTerms; current: AccountId; key: RequestKey }

async function giveBack(deps: CloseDeps, trx: Transaction<Database>, { goal, current, key }: Closing): Promise<number> {
  await countInterest(deps, trx, [goal.id], lastDayWithInterest(deps))
  const interestMinor = wholeCents(await accruedOf(trx, goal.id))
  const [account] = await accountsById(runIn(trx), [goal.accountId])
  const returnedMinor = (account?.balanceMinor ?? 0) + interestMinor
  const bookedAt = deps.clock.businessNow()
  const { operationId, fingerprint } = key
  const legs = closingLegs({ goal, current, interestMinor, returnedMinor })
  if (legs.length > 0) {
    const operation = { id: operationId, kind: 'savings.close', fingerprint, bookedAt, legs }
    await deps.ledger.postWithin(runIn(trx), [operation])
  }
  if (!(await closeAccount(runIn(trx), goal.accountId))) throw new MovedMeanwhile()
  if (interestMinor > 0) {
    const paid = { amount_minor: interestMinor, paid_at: bookedAt, operation_id: operationId }
    const month = firstDayOfMonth(bookedAt)
    await trx
      .insertInto('bank.goal_interest')
      .values({ goal_id: goal.id, month, ...paid })
      .execute()
  }
  await endMonthly(trx, goal.customerId, goal.id)
  await trx
    .updateTable('bank.goal')
    .set(({ eb }) => ({
      closed_at: bookedAt,
      round_up_times: null,
      accrued_millionths: eb('accrued_millionths', '-', interestMinor * MILLIONTHS),
    }))
    .where('id', '=', goal.id)
    .execute()
  return returnedMinor
}

type Amounts = Pick<Closing, 'goal' | 'current'> & { interestMinor: number; returnedMinor: number }

function closingLegs({ goal, current, interestMinor, returnedMinor }: Amounts): Leg[] {
  const [expense, account] = [bankAccount('interest_expense'), goal.accountId]
  const interest: Leg = {
    kind: 'transfer',
    debit: expense,
    credit: account,
    amountMinor: interestMinor,
    detail: interestDetail,
  }
  const detail = goalMoveDetail(goal, 'savings.withdrawn')
  const back: Leg = { kind: 'transfer', debit: account, credit: current, amountMinor: returnedMinor, detail }
  return [...(interestMinor > 0 ? [interest] : []), ...(returnedMinor > 0 ? [back] : [])]
}

async function accruedOf(trx: Transaction<Database>, goalId: string): Promise<number> {
  const row = await trx
    .selectFrom('bank.goal')
    .select('accrued_millionths')
    .where('id', '=', goalId)
    .executeTakeFirstOrThrow()
  return row.accrued_millionths
}

/**
 * Ends a customer's goals when the customer closes. Throws Refusal `balance_not_zero` if a goal has unpaid interest; the
 * customer must close the goal first, which pays the interest.
 */
export async function endGoals(trx: Transaction<Database>, customerId: string): Promise<void> {
  const goals = await trx
    .selectFrom('bank.goal')
    .select(['id', 'accrued_millionths'])
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (goals.some((goal) => wholeCents(goal.accrued_millionths) > 0)) throw new Refusal('balance_not_zero')
  const goalIds = goals.map(({ id }) => id)
  if (goalIds.length === 0) return
  await trx
    .updateTable('bank.goal')
    .set({
      closed_at: sql`(SELECT closed_at FROM bank.customer WHERE customer.id = customer_id)`,
      round_up_times: null,
    })
    .where('id', 'in', goalIds)
    .execute()
}
