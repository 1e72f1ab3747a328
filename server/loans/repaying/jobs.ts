import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { collectionTime } from '#server/loans/terms/due-days.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { nextTry, readLoan } from '#server/loans/loan/loan.ts'
import { bringUpToDate } from '#server/loans/repaying/collect.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'

/** A day's interest and instalments are booked within its first hour. */
const OVERDUE_MS = 60 * 60_000

type LoanKey = { customerId: string; loanId: string }

/** Takes the instalments of a loan on the day when one is due, also where the date is put forward. */
export const collectJob = defineJob({
  name: 'loans.collect',
  payload: z.object({ customerId: z.uuid(), loanId: z.uuid() }),
  work: async (deps: Deps, { customerId, loanId }: LoanKey) => {
    await bringUpToDate(deps, customerId, loanId)
    await inTransaction(deps.db, (trx) => planCollection(trx, { customerId, loanId }))
  },
})

/** Has a loan's next instalment taken when it is due, or tried again: on a day for which none was tried yet. */
export async function planCollection(trx: Transaction<Database>, { customerId, loanId }: LoanKey): Promise<void> {
  const loan = await readLoan(trx, customerId, loanId)
  const next = loan && nextTry(loan)
  if (next === null) return
  const key = `${collectJob.name}:${loanId}`
  await enqueue(trx, collectJob, { customerId, loanId }, { at: collectionTime(next), key })
}

const behindQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db.selectFrom('bank.loan').where('closed_at', 'is', null).where('accrued_to', '<', dayOf(clock.businessNow()))

type Behind = { id: string; customer_id: string; accrued_to: string }

function loansBehind(deps: Pick<Deps, 'db' | 'clock'>, after: Behind | null): Promise<Behind[]> {
  let query = behindQuery(deps)
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('accrued_to', 'id'), '>', tuple(after.accrued_to, after.id)),
    )
  return query
    .select(['id', 'customer_id', 'accrued_to'])
    .orderBy('accrued_to')
    .orderBy('id')
    .limit(PAGE_SIZE)
    .execute()
}

/** Accrues the interest of the days that have ended, and takes what a bank that stood still did not, once a day for each loan. */
export const dailyJob = defineSweep({
  name: 'loans.daily',
  everyMinutes: 5,
  find: loansBehind,
  work: (deps, { id, customer_id: customerId }) => bringUpToDate(deps, customerId, id),
  failed: 'a loan could not be brought up to date',
})

/** Interest that was not booked, and instalments that were not asked for. */
export const overdueLoans: WaitingMoney = {
  name: 'loans that were not brought up to date',
  overdueSince: async (deps) => {
    const { oldest } = await behindQuery(deps)
      .select(({ fn }) => fn.min('accrued_to').as('oldest'))
      .executeTakeFirstOrThrow()
    return oldest === null ? null : new Date(timeOn(dayAfter(oldest)).getTime() + OVERDUE_MS)
  },
}
