import { dayOf } from '#server/platform/days.ts'
import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { notify } from '#server/notifications/service.ts'
import { nextMonthly } from '#server/savings/days.ts'
import { savingsNotices } from '#server/savings/notices.ts'
import { goalMoveOperation } from '#server/savings/service.ts'

/** A move is made within the first hour of its day. */
const OVERDUE_MS = 60 * 60_000

const nextOnText = sql<string>`to_char(next_on, 'YYYY-MM-DD')`.as('next_on')

function findMonthly(db: Kysely<Database>, goalId: string) {
  return db
    .selectFrom('bank.goal_monthly')
    .innerJoin('bank.goal', 'bank.goal.id', 'goal_id')
    .innerJoin('bank.customer', 'bank.customer.id', 'customer_id')
    .select(['customer_id', 'account_id', 'name', 'asset', 'amount_minor', 'day_of_month', 'current_account_id'])
    .select(nextOnText)
    .where('goal_id', '=', goalId)
    .executeTakeFirst()
}

/**
 * Makes the move that a goal is due, and goes on to the next month's. Where there is too little in the account the move is
 * skipped, and the customer told. Answers whether one was due.
 */
async function makeMonthlyMove(deps: Deps, goalId: string): Promise<boolean> {
  const monthly = await findMonthly(deps.db, goalId)
  if (!monthly || monthly.next_on > dayOf(deps.clock.businessNow())) return false
  const { next_on: dueOn, amount_minor: amountMinor, customer_id: customerId, asset, name } = monthly
  const refusal = await deps.ledger
    .post(
      goalMoveOperation({
        ...derived('savings', goalId, `monthly:${dueOn}`),
        fingerprint: fingerprintOf('savings.monthly', goalId, dueOn),
        current: monthly.current_account_id,
        goal: { accountId: monthly.account_id, name },
        label: 'savings.monthly',
        amountMinor,
        bookedAt: deps.clock.businessNow(),
      }),
    )
    .then(() => null, refusalOf)
  await inTransaction(deps.db, async (trx) => {
    // Whoever moved it on first has told the customer, too.
    const moved = await trx
      .updateTable('bank.goal_monthly')
      .set({ next_on: nextMonthly(monthly.day_of_month, dueOn) })
      .where('goal_id', '=', goalId)
      .where('next_on', '=', dueOn)
      .returning('goal_id')
      .executeTakeFirst()
    const params = { amountMinor, asset, name }
    if (moved && refusal === 'insufficient_funds') {
      await notify(deps, trx, { customerId, ...savingsNotices.skipped, params })
    }
  })
  return true
}

/** Decisions of the ledger after which a move waits for the next month. */
const SKIPPED = ['insufficient_funds', 'account_frozen', 'balance_limit_reached'] as const

function refusalOf(error: unknown): (typeof SKIPPED)[number] {
  const code = error instanceof Refusal ? SKIPPED.find((skipped) => skipped === error.code) : undefined
  if (!code) throw error
  return code
}

const dueQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db.selectFrom('bank.goal_monthly').where('next_on', '<=', dayOf(clock.businessNow()))

type DueMove = { goalId: string; nextOn: string }

async function dueMoves(deps: Pick<Deps, 'db' | 'clock'>, after: DueMove | null): Promise<DueMove[]> {
  let query = dueQuery(deps)
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('bank.goal_monthly.next_on', 'goal_id'), '>', tuple(after.nextOn, after.goalId)),
    )
  const ordered = query.orderBy('bank.goal_monthly.next_on').orderBy('goal_id').limit(PAGE_SIZE)
  const rows = await ordered.select(['goal_id', nextOnText]).execute()
  return rows.map((row) => ({ goalId: row.goal_id, nextOn: row.next_on }))
}

/** Makes all moves that are due, those of months that were missed too. */
export const monthlyJob = defineRecurringJob({
  name: 'savings.monthly',
  everyMinutes: 5,
  work: async (deps) => {
    const due = everyPage(
      (after: DueMove | null) => dueMoves(deps, after),
      (move) => move,
    )
    for await (const { goalId } of due) {
      try {
        while (await makeMonthlyMove(deps, goalId));
      } catch (error) {
        // One that cannot be made must not keep the others.
        deps.log.error({ err: error, goalId }, 'a monthly move could not be made')
      }
    }
  },
})

export const overdueMoves: WaitingMoney = {
  name: 'monthly moves to goals that were not made in time',
  overdueSince: async (deps) => {
    const row = await dueQuery(deps).select(nextOnText).orderBy('bank.goal_monthly.next_on').limit(1).executeTakeFirst()
    return row ? new Date(Date.parse(row.next_on) + OVERDUE_MS) : null
  },
}
