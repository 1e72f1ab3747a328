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

/**
 * The largest number of months for which a customer is notified at the same time. After a jump of years, these are the last
 * twelve months.
 */
const MAX_MONTHS = 12

/** Returns the months after `lastNotified` up to `last`, all as YYYY-MM. */
function monthsBetween(lastNotified: string, last: string): string[] {
  const months: string[] = []
  for (let month = last; month > lastNotified && months.length < MAX_MONTHS;) {
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

/** Selects customers whose last notification was for a month before `last`. */
const unnotifiedQuery = (db: Kysely<Database>, last: string) =>
  db.selectFrom('bank.statement_told').select(['customer_id', 'month']).where('month', '<', last).orderBy('customer_id')

/** Returns the last month that has ended, as YYYY-MM. */
const lastMonth = ({ clock }: Pick<Deps, 'clock'>): string => monthOf(firstDayOfMonth(clock.businessNow(), -1))

/**
 * Records, for new customers, the month up to which they need no notification. For a customer who joined in the last 24 hours
 * it is the month before they joined. For any other it is the last month that has ended. Sample customers get their record when
 * they are created (sample-history.ts).
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

/**
 * Notifies a page of customers of the months that have ended since their last notification, and returns the number of
 * customers.
 */
async function tellSome(deps: NoticeDeps, trx: Transaction<Database>, last: string): Promise<number> {
  const customersToNotify = await unnotifiedQuery(trx, last)
    .limit(PAGE_SIZE)
    // Another server is notifying the customers whose rows it has locked.
    .forUpdate()
    .skipLocked()
    .execute()
  if (customersToNotify.length === 0) return 0
  const notices = customersToNotify.flatMap(({ customer_id: customerId, month: lastNotified }) =>
    monthsBetween(lastNotified, last).map((month): NewNotice => ({
      customerId,
      kind: 'statement_ready',
      params: { month },
    })),
  )
  await notifyAll(deps, trx, notices)
  await trx
    .updateTable('bank.statement_told')
    .set({ month: last })
    .where(
      'customer_id',
      'in',
      customersToNotify.map((row) => row.customer_id),
    )
    .execute()
  return customersToNotify.length
}

/** Notifies each customer once a month that the statement of the last month is ready. */
export const statementReadyJob = defineRecurringJob({
  name: 'statements.ready',
  everyMinutes: 5,
  byDate: true,
  isDue: async (deps) => {
    const [newcomer, untold] = [newcomersQuery(deps.db), unnotifiedQuery(deps.db, lastMonth(deps))]
    return ((await newcomer.limit(1).executeTakeFirst()) ?? (await untold.limit(1).executeTakeFirst())) !== undefined
  },
  work: async (deps) => {
    await noteNewcomers(deps)
    const last = lastMonth(deps)
    while ((await inTransaction(deps.db, (trx) => tellSome(deps, trx, last))) > 0);
  },
})
