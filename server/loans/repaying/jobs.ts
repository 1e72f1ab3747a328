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

/** The time after the end of a day, in milliseconds, within which its interest and installments must be booked. */
const OVERDUE_MS = 60 * 60_000

type LoanKey = { customerId: string; loanId: string }

/**
 * Collects the due installments of a loan and schedules the next collection. After a jump of the clock, it collects all
 * installments that became due.
 */
export const collectInstallmentsJob = defineJob({
  name: 'loans.collect',
  payload: z.object({ customerId: z.uuid(), loanId: z.uuid() }),
  work: async (deps: Deps, { customerId, loanId }: LoanKey) => {
    await bringUpToDate(deps, customerId, loanId)
    await inTransaction(deps.db, (trx) => planCollection(trx, { customerId, loanId }))
  },
})

/** Schedules the next collection of a loan: when the next installment is due, or on the next business day for a retry. */
export async function planCollection(trx: Transaction<Database>, { customerId, loanId }: LoanKey): Promise<void> {
  const loan = await readLoan(trx, customerId, loanId)
  const next = loan && nextTry(loan)
  if (next === null) return
  const key = `${collectInstallmentsJob.name}:${loanId}`
  await enqueue(trx, collectInstallmentsJob, { customerId, loanId }, { at: collectionTime(next), key })
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

/**
 * Accrues the interest of past days for each loan. It also collects installments that were missed while the bank did not run.
 */
export const dailyJob = defineSweep({
  name: 'loans.daily',
  everyMinutes: 5,
  find: loansBehind,
  work: (deps, { id, customer_id: customerId }) => bringUpToDate(deps, customerId, id),
  failed: 'a loan could not be brought up to date',
})

/** Loans with interest that was not booked, or installments that were not collected. */
export const overdueLoans: WaitingMoney = {
  name: 'loans that were not brought up to date',
  overdueSince: async (deps) => {
    const { oldest } = await behindQuery(deps)
      .select(({ fn }) => fn.min('accrued_to').as('oldest'))
      .executeTakeFirstOrThrow()
    return oldest === null ? null : new Date(timeOn(dayAfter(oldest)).getTime() + OVERDUE_MS)
  },
}
