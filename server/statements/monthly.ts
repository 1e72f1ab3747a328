import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { sql, type Transaction } from 'kysely'
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

/**
 * Notes, for customers who are new here, up to which month they need no telling: the last that has ended, or the one before they
 * joined where that was a moment ago. Sample customers are noted as they come (story.ts).
 */
async function noteNewcomers({ db, clock }: NoticeDeps): Promise<void> {
  const now = clock.businessNow()
  const last = monthOf(firstDayOfMonth(now, -1))
  await db
    .insertInto('bank.statement_told')
    .columns(['customer_id', 'month'])
    .expression((eb) =>
      eb
        .selectFrom('bank.customer')
        .leftJoin('bank.statement_told', 'customer_id', 'bank.customer.id')
        .select('bank.customer.id')
        .select(
          sql<string>`CASE WHEN created_at >= ${new Date(now.getTime() - DAY_MS)}
            THEN left((date_trunc('month', ledger.day_of(created_at)) - interval '1 month')::text, 7) ELSE ${last} END`.as(
            'month',
          ),
        )
        .where('customer_id', 'is', null)
        .where('closed_at', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Tells some customers of the months that have ended since they were last told; answers how many there were. */
async function tellSome(deps: NoticeDeps, trx: Transaction<Database>, last: string): Promise<number> {
  const due = await trx
    .selectFrom('bank.statement_told')
    .select(['customer_id', 'month'])
    .where('month', '<', last)
    .orderBy('customer_id')
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
  work: async (deps) => {
    await noteNewcomers(deps)
    const last = monthOf(firstDayOfMonth(deps.clock.businessNow(), -1))
    while ((await inTransaction(deps.db, (trx) => tellSome(deps, trx, last))) > 0);
  },
})
