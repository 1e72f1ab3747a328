import { endMonthly } from '#server/savings/monthly.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { accountsById, closeAccount } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { MILLIONTHS, wholeCents } from '#server/savings/interest.ts'
import { countInterest, interestDetail, lastDay } from '#server/savings/interest-payments.ts'
import { isLocked, type KeptGoal, lockGoal, moveDetail } from '#server/savings/service.ts'

type CloseDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy'>

/** How often it is tried again because money came in meanwhile. */
const TRIES = 5

/**
 * Closes a goal: pays what interest it has earned up to yesterday, in whole cents, and gives back all that is in it.
 * Answers how much that was, US cents. Throws Refusal `not_found`, `goal_locked`, and what the ledger refuses.
 */
export async function closeGoal(
  deps: CloseDeps,
  customer: { id: string; currentAccountId: AccountId },
  goalId: string,
  key: RequestKey,
): Promise<{ returnedMinor: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result } = await once(deps, key, async (trx) => {
        const goal = await lockGoal(trx, customer.id, goalId)
        if (isLocked(goal, deps.clock.businessNow())) throw new Refusal('goal_locked')
        return { returnedMinor: await giveBack(deps, trx, { goal, current: customer.currentAccountId, key }) }
      })
      return result
    } catch (error) {
      if (!(error instanceof MovedMeanwhile)) throw error
      if (attempt === TRIES) throw new Refusal('unavailable', undefined, { cause: error })
    }
  }
}

/** Money came into the goal between looking and closing: all of it begins again. */
class MovedMeanwhile extends Error {}

type Closing = { goal: KeptGoal; current: AccountId; key: RequestKey }

async function giveBack(deps: CloseDeps, trx: Transaction<Database>, { goal, current, key }: Closing): Promise<number> {
  await countInterest(deps, trx, [goal.id], lastDay(deps))
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
  const detail = moveDetail(goal, 'savings.withdrawn')
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
 * Ends the goals of a customer who closes. Throws Refusal `balance_not_zero` where one has earned interest that is still
 * to be paid: closing the goal pays it.
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
