import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type NewNotice, notifyAll } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'events'>

/** A date that is put forward by years is told of its last year alone. */
const MONTHS_MOST = 12

/** The months after `told` up to `last`, both YYYY-MM. */
function monthsBetween(told: string, last: string): string[] {
  const months: string[] = []
  for (let month = last; month > told && months.length < MONTHS_MOST;) {
    months.unshift(month)
    month = monthOf(firstDayOfMonth(month, -1))
  }
  return months
}

const newcomersQuery = (db: Kysely<Database>) =>
  db
    .selectFrom('bank.customer')
    .leftJoin('bank.statement_told', 'customer_id', 'bank.customer.id')
    .select('bank.customer.id')
    .where('customer_id', 'is', null)
    .where('closed_at', 'is', null)

/** Customers who were last told of a month before `last`. */
const untoldQuery = (db: Kysely<Database>, last: string) =>
  db.selectFrom('bank.statement_told').select(['customer_id', 'month']).where('month', '<', last).orderBy('customer_id')

/** The last month that has ended. */
const lastMonth = ({ clock }: Pick<Deps, 'clock'>): string => monthOf(firstDayOfMonth(clock.businessNow(), -1))

/**
 * Notes, for customers who are new here, up to which month they need no telling: the last that has ended, or the one before they
 * joined where that was a moment ago. Sample customers are noted as they come (story.ts).
 */
async function noteNewcomers({ db, clock }: NoticeDeps): Promise<void> {
  const now = clock.businessNow()
  const last = lastMonth({ clock })
  await db
    .insertInto('bank.statement_told')
    .columns(['customer_id', 'month'])
    .expression(
      newcomersQuery(db).select(
        sql<string>`CASE WHEN created_at >= ${new Date(now.getTime() - DAY_MS)}
            THEN left((date_trunc('month', ledger.day_of(created_at)) - interval '1 month')::text, 7) ELSE ${last} END`.as(
          'month',
        ),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Tells some customers of the months that have ended since they were last told; answers how many there were. */
async function tellSome(deps: NoticeDeps, trx: Transaction<Database>, last: string): Promise<number> {
  const due = await untoldQuery(trx, last)
    .limit(PAGE_SIZE)
    // Another server tells the others.
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return 0
  const notices = due.flatMap(({ customer_id: customerId, month: told }) =>
    monthsBetween(told, last).map((month): NewNotice => ({ customerId, kind: 'statement_ready', params: { month } })),
  )
  await notifyAll(deps, trx, notices)
  await trx
    .updateTable('bank.statement_told')
    .set({ month: last })
    .where(
      'customer_id',
      'in',
      due.map((row) => row.customer_id),
    )
    .execute()
  return due.length
}

/** Tells each customer once, after a month has ended, that its statement is ready. */
export const statementReadyJob = defineRecurringJob({
  name: 'statements.ready',
  everyMinutes: 5,
  byDate: true,
  isDue: async (deps) => {
    const [newcomer, untold] = [newcomersQuery(deps.db), untoldQuery(deps.db, lastMonth(deps))]
    return ((await newcomer.limit(1).executeTakeFirst()) ?? (await untold.limit(1).executeTakeFirst())) !== undefined
  },
  work: async (deps) => {
    await noteNewcomers(deps)
    const last = lastMonth(deps)
    while ((await inTransaction(deps.db, (trx) => tellSome(deps, trx, last))) > 0);
  },
})
