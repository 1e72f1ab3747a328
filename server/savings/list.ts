import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { monthsUntil, nextMonthly } from '#server/calendar/months.ts'
import type { Goal as GoalShown, GoalList } from '#contract/savings.ts'
import type { Label } from '#contract/line-texts.ts'
import type { z } from 'zod'
import type { goalActivity } from '#contract/savings.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'
import { listLines } from '#server/ledger/statement.ts'
import { wholeCents } from '#server/savings/interest.ts'
import { lastDayWithInterest } from '#server/savings/interest-payments.ts'
import { everyGoalOf, findGoal, type GoalRecord, goalsOf, isGoalLocked } from '#server/savings/service.ts'

/** The largest number of entries in the history of a goal. */
const RECENT = 20

/** Returns all data of the savings screen, as of now. */
export async function listGoals(deps: Pick<Deps, 'db' | 'clock' | 'policy'>, customerId: string): Promise<GoalList> {
  const goals = await goalsOf(deps, customerId)
  const now = deps.clock.businessNow()
  const paid = await paidThisYear(deps, goals)
  return {
    interestRateBps: deps.policy.savingsRateBps,
    interestPaidOn: nextMonthly(1, dayAfter(lastDayWithInterest(deps))),
    today: dayOf(now),
    goals: goals.map((goal) => goalView(goal, now, paid.get(goal.id) ?? 0)),
  }
}

function goalView(goal: GoalRecord, now: Date, paidThisYearMinor: number): GoalShown {
  const { id, name, icon, targetMinor, targetOn, asset, savedMinor, roundUpTimes, monthly } = goal
  const locked = isGoalLocked(goal, now)
  const missingMinor = targetMinor - savedMinor
  return {
    id,
    name,
    icon,
    targetMinor,
    targetOn,
    asset,
    savedMinor,
    monthlyNeedMinor:
      targetOn === null || missingMinor <= 0 ? null : Math.ceil(missingMinor / monthsUntil(targetOn, dayOf(now))),
    lockedUntil: locked ? goal.lockedUntil : null,
    unlocksAt: locked ? (goal.unlocksAt?.toISOString() ?? null) : null,
    roundUpTimes,
    monthly,
    interest: { paidThisYearMinor, accruedMinor: wholeCents(goal.accruedMillionths) },
  }
}

/** Returns the interest paid since January 1, by goal. */
async function paidThisYear({ db, clock }: Pick<Deps, 'db' | 'clock'>, goals: readonly GoalRecord[]) {
  if (goals.length === 0) return new Map<string, number>()
  const rows = await db
    .selectFrom('bank.goal_interest')
    .select(({ fn }) => ['goal_id', fn.sum<number>('amount_minor').as('paid_minor')])
    .where(
      'goal_id',
      'in',
      goals.map(({ id }) => id),
    )
    .where('paid_at', '>=', timeOn(`${dayOf(clock.businessNow()).slice(0, 4)}-01-01`))
    .groupBy('goal_id')
    .execute()
  return new Map(rows.map((row) => [row.goal_id, row.paid_minor]))
}

/** Returns the latest moves in and out of a goal. Throws Refusal `not_found`. */
export async function activityOf(
  deps: Pick<Deps, 'db' | 'pool'>,
  customerId: string,
  goalId: string,
): Promise<z.infer<typeof goalActivity>> {
  const { accountId } = await findGoal(deps.db, customerId, goalId)
  const { lines } = await listLines(runOn(deps.pool), { accountId, filters: {}, limit: RECENT })
  return {
    entries: lines.map(({ id, name, amountMinor, asset, bookedAt }) => ({
      id,
      label: name && name.code !== 'name' ? name.code : unnamed(amountMinor),
      amountMinor,
      asset,
      bookedAt: bookedAt.toISOString(),
    })),
  }
}

/** Returns the stored data of a customer's goals, closed ones included. The entries are in the export of their accounts. */
export async function exportGoals(deps: Pick<Deps, 'db'>, customerId: string) {
  const goals = await everyGoalOf(deps, customerId)
  return goals.map(({ id: _id, customerId: _customer, accountId: _account, accruedMillionths, ...goal }) => ({
    ...goal,
    accruedInterestMinor: wholeCents(accruedMillionths),
  }))
}

/** Returns the label of an older statement line, which was stored with the goal's name instead of a label. */
const unnamed = (amountMinor: number): Label => (amountMinor > 0 ? 'savings.added' : 'savings.withdrawn')
