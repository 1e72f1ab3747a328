import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { dayBefore } from '#server/calendar/days.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Kysely, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { balancesFrom } from '#server/ledger/entries.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { accrueSavingsInterest, type Accrual, type DueInterest } from '#server/savings/interest.ts'

type InterestDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'log'>

/** The number of goals whose interest is counted in one SQL transaction. */
const BATCH = 200
/** The time after the end of a day, in milliseconds, by which all of its operations have been booked. */
const SETTLED_MS = 5 * 60_000
/** The number of hours after the start of a month within which the interest of the previous month must be paid. */
const OVERDUE_HOURS = 1

/** The text of interest on a goal's statement. */
export const interestDetail: Detail = { label: 'savings.interest', category: 'income' }

type InterestRow = { id: string; accountId: AccountId } & Accrual

/** Returns the last day that has ended and whose operations are all booked. */
export function lastDayWithInterest({ clock }: Pick<Deps, 'clock'>): string {
  return dayBefore(dayOf(new Date(clock.businessNow().getTime() - SETTLED_MS)))
}

/** Locks and returns those of some open goals whose interest is not counted up to the end of the day `upTo`. */
async function lockUncounted(trx: Transaction<Database>, goalIds: readonly string[], upTo: string) {
  const rows = await trx
    .selectFrom('bank.goal')
    .select(['id', 'account_id', 'accrued_millionths', 'counted_version', 'accrued_on'])
    .where('id', 'in', goalIds)
    .where('closed_at', 'is', null)
    .where('accrued_on', '<', upTo)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row): InterestRow => ({
    id: row.id,
    accountId: row.account_id,
    accruedOn: row.accrued_on,
    millionths: row.accrued_millionths,
    countedVersion: row.counted_version,
  }))
}

/**
 * Counts the interest of goals up to the end of a day, and pays due interest: one operation for each goal and month. Days that
 * are already counted stay as they are. A refusal of the ledger throws and rolls everything back.
 */
export async function countInterest(
  deps: Pick<Deps, 'ledger' | 'clock' | 'policy'>,
  trx: Transaction<Database>,
  goalIds: readonly string[],
  upTo: string,
): Promise<void> {
  const rows = await lockUncounted(trx, goalIds, upTo)
  const balances = await balancesFrom(
    runIn(trx),
    rows.map(({ accountId, countedVersion }) => ({ id: accountId, version: countedVersion })),
  )
  const rateBps = deps.policy.savingsRateBps
  const accruals = rows.map((row) => ({
    row,
    ...accrueSavingsInterest(row, balances.get(row.accountId) ?? [], { rateBps, upTo }),
  }))
  await keepAccruals(trx, accruals)
  await pay(
    deps,
    trx,
    accruals.flatMap(({ row, due }) => due.map((interest) => ({ row, interest }))),
  )
}

async function keepAccruals(trx: Transaction<Database>, accruals: { row: InterestRow; accrual: Accrual }[]) {
  await runIn(trx)(
    `UPDATE bank.goal SET accrued_on = given.accrued_on, accrued_millionths = given.millionths,
            counted_version = given.version
       FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[]) given (id, accrued_on, millionths, version)
      WHERE goal.id = given.id`,
    [
      accruals.map(({ row }) => row.id),
      accruals.map(({ accrual }) => accrual.accruedOn),
      accruals.map(({ accrual }) => accrual.millionths),
      accruals.map(({ accrual }) => accrual.countedVersion),
    ],
  )
}

type Payment = { row: InterestRow; interest: DueInterest }

async function pay(deps: Pick<Deps, 'ledger' | 'clock'>, trx: Transaction<Database>, payments: Payment[]) {
  if (payments.length === 0) return
  const bookedAt = deps.clock.businessNow()
  const operations = payments.map(({ row, interest: { month, amountMinor } }): Operation => {
    const debit = bankAccount('interest_expense')
    return {
      ...derivedIdentity('savings', row.id, `interest:${month}`),
      kind: 'savings.interest',
      fingerprint: fingerprintOf('savings.interest', row.id, month),
      bookedAt,
      legs: [{ kind: 'transfer', debit, credit: row.accountId, amountMinor, detail: interestDetail }],
    }
  })
  await deps.ledger.postWithin(runIn(trx), operations)
  await trx
    .insertInto('bank.goal_interest')
    .values(
      payments.map(({ row, interest: { month, amountMinor } }, index) => ({
        goal_id: row.id,
        month,
        amount_minor: amountMinor,
        paid_at: bookedAt,
        operation_id: operations[index]?.id as string,
      })),
    )
    .execute()
}

/**
 * Counts and pays the interest of many goals together. After a refusal it handles each goal alone, so that one refusal does not
 * block the others.
 */
async function countBatch(deps: InterestDeps, goalIds: readonly string[], upTo: string): Promise<void> {
  try {
    await inTransaction(deps.db, (trx) => countInterest(deps, trx, goalIds, upTo))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    const [goalId, ...otherIds] = goalIds
    if (otherIds.length > 0) for (const id of goalIds) await countBatch(deps, [id], upTo)
    // An example of a refusal is a full account. Once the account has room, the interest of all missed days is counted.
    else deps.log.warn({ goalId, code: error.code }, 'interest could not be paid')
  }
}

/** Selects open goals whose interest is not counted up to the end of a day. Their order does not change during the counting. */
const uncountedQuery = (db: Kysely<Database>, upTo: string) =>
  db
    .selectFrom('bank.goal')
    .select(['id', 'accrued_on'])
    .where('closed_at', 'is', null)
    .where('accrued_on', '<', upTo)
    .orderBy('bank.goal.accrued_on')
    .orderBy('id')

/** Counts interest for the days that have ended, and pays it on the first of a month, or as soon as possible after it. */
export const interestJob = defineRecurringJob({
  name: 'savings.interest',
  everyMinutes: 5,
  byDate: true,
  isDue: async (deps) => (await uncountedQuery(deps.db, lastDayWithInterest(deps)).limit(1).execute()).length > 0,
  work: async (deps) => {
    const upTo = lastDayWithInterest(deps)
    let last: { on: string; id: string } | null = null
    for (;;) {
      let query = uncountedQuery(deps.db, upTo)
      const after = last
      if (after)
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('bank.goal.accrued_on', 'id'), '>', tuple(after.on, after.id)),
        )
      const goals = await query.limit(BATCH).execute()
      const end = goals.at(-1)
      if (!end) return
      await countBatch(
        deps,
        goals.map(({ id }) => id),
        upTo,
      )
      last = { on: end.accrued_on, id: end.id }
    }
  },
})

/** Interest of past months that was not paid. */
export const overdueInterest: WaitingMoney = {
  name: 'interest that was not paid in time',
  overdueSince: async ({ db, clock }) => {
    const dueDay = firstDayOfMonth(clock.businessNow())
    const row = await db
      .selectFrom('bank.goal')
      .select('id')
      .where('closed_at', 'is', null)
      .where('accrued_on', '<', dayBefore(dueDay))
      .limit(1)
      .executeTakeFirst()
    return row ? timeOn(dueDay, OVERDUE_HOURS) : null
  },
}
