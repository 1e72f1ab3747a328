import { dayOf } from '#server/platform/days.ts'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { NoticeParams } from '#contract/notifications.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { notify } from '#server/notifications/service.ts'
import { findPartiesOf } from '#server/payments/parties.ts'
import { bookSend } from '#server/payments/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { businessDayAfter, dueUpTo, lastTryOn, paidFrom } from '#server/schedules/calendar.ts'
import { scheduleNotices } from '#server/schedules/notices.ts'
import { afterDate, changeRow, nameOf, type NamedRow, namedSchedules } from '#server/schedules/schedule.ts'

/** How many customers one run of the sweep sees to. */
const SWEPT = 200

const runKey = (customerId: string) => `${runJob.name}:${customerId}`

/**
 * Has a customer's next scheduled payment made when it is due. One job for all of theirs, so that the oldest date is paid
 * first. Two changes at the same moment may leave it too late; the sweep finds what is due.
 */
export async function planNextRun(trx: Transaction<Database>, customerId: string): Promise<void> {
  const { next } = await trx
    .selectFrom('bank.schedule')
    .select(({ fn }) => fn.min('try_on').as('next'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  if (next === null) return stopRuns(trx, customerId)
  await enqueue(trx, runJob, { customerId }, { at: paidFrom(next), key: runKey(customerId) })
}

/** Takes back the job that would make a customer's next payment. */
export async function stopRuns(trx: Transaction<Database>, customerId: string): Promise<void> {
  await dequeue(trx, runKey(customerId))
}

/** Makes all payments of a customer that are due, the oldest date first. Done again, or twice at once, it pays no date twice. */
async function payDue(deps: Deps, customerId: string): Promise<void> {
  for (;;) {
    const due = await oldestDue(deps, customerId)
    if (!due || !(await payDate(deps, due))) break
  }
  await inTransaction(deps.db, (trx) => planNextRun(trx, customerId))
}

function oldestDue({ db, clock }: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<NamedRow | undefined> {
  return namedSchedules(db)
    .where('s.customer_id', '=', customerId)
    .where('s.status', '=', 'active')
    .where('s.try_on', '<=', dueUpTo(clock.businessNow()))
    .orderBy('s.next_on')
    .orderBy('s.id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Makes the payment of a schedule's next date, or notes why it could not be made. The money and the schedule change in one
 * commit, and only while the schedule is as it was read: what the customer changes at this moment comes before the payment
 * or after it. Answers whether there may be more to do; not where another server is at it.
 */
async function payDate(deps: Deps, row: NamedRow): Promise<boolean> {
  const parties = await findPartiesOf(deps, row.customer_id, row.address)
  if (!parties) return false
  const { recipient, amount_minor: amountMinor, note } = row
  const send = { recipient, amountMinor, asset: 'USD' as const, ...(note !== null && { note }) }
  // Each try has an id of its own: the ledger remembers for a day what it refused under one.
  const { id: operationId, derivedFrom } = derived('schedules', row.id, `pay:${row.next_on}:${row.try_on}`)
  const key = { operationId, derivedFrom, fingerprint: fingerprintOf('schedules.pay', row.id, row.next_on) }
  try {
    const { replayed } = await bookSend(deps, parties, send, key, async (trx) => {
      await changeRow(trx, row, { ...afterDate(row), paid_on: row.next_on })
      await tell(deps, trx, row, 'sent', {})
    })
    return !replayed
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    if (error.code !== 'schedule_changed') await postpone(deps, row, error)
    return true
  }
}

/** Has a payment that was refused tried again on the next business day, or passes over its date where it was the last try. */
async function postpone(deps: Deps, row: NamedRow, { code }: Refusal): Promise<void> {
  const reason = code === 'insufficient_funds' ? 'funds' : 'other'
  const nextTryOn = businessDayAfter(dayOf(deps.clock.businessNow()))
  const isLastTry = nextTryOn > lastTryOn(row.next_on)
  try {
    await inTransaction(deps.db, async (trx) => {
      await changeRow(trx, row, isLastTry ? afterDate(row) : { try_on: nextTryOn, refused: true })
      if (isLastTry) await tell(deps, trx, row, 'skipped', { reason })
      else if (!row.refused) await tell(deps, trx, row, 'delayed', { reason })
    })
  } catch (error) {
    // The customer, or another server, has seen to it.
    if (!(error instanceof Refusal && error.code === 'schedule_changed')) throw error
  }
}

type More = Partial<NoticeParams['scheduled_skipped']>

function tell(
  deps: Deps,
  trx: Transaction<Database>,
  row: NamedRow,
  what: keyof typeof scheduleNotices,
  { reason = 'other' }: More,
): Promise<void> {
  const params = { amountMinor: row.amount_minor, asset: row.asset, name: nameOf(row), reason }
  return notify(deps, trx, { customerId: row.customer_id, ...scheduleNotices[what], params })
}

export const runJob = defineJob({
  name: 'schedules.pay_due',
  payload: z.object({ customerId: z.uuid() }),
  work: (deps: Deps, { customerId }: { customerId: string }) => payDue(deps, customerId),
})

function dueQuery({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return db
    .selectFrom('bank.schedule')
    .where('status', '=', 'active')
    .where('try_on', '<=', dueUpTo(clock.businessNow()))
}

/** Makes the payments whose own job failed for good or was lost. */
export const overduePayments = {
  job: defineRecurringJob({
    name: 'schedules.pay_overdue',
    everyMinutes: 5,
    work: async (deps) => {
      const rows = await dueQuery(deps)
        .select('customer_id')
        .groupBy('customer_id')
        .orderBy(({ fn }) => fn.min('try_on'))
        .limit(SWEPT)
        .execute()
      for (const { customer_id: customerId } of rows) {
        // One whose payments cannot be made must not keep the others.
        await payDue(deps, customerId).catch((error: unknown) =>
          deps.log.error({ err: error, customerId }, 'scheduled payments that are due could not be made'),
        )
      }
    },
  }),
  waiting: {
    name: 'scheduled payments that were not made in time',
    overdueSince: async (deps) => {
      const { oldest } = await dueQuery(deps)
        .select(({ fn }) => fn.min('try_on').as('oldest'))
        .executeTakeFirstOrThrow()
      return oldest === null ? null : paidFrom(oldest)
    },
  } satisfies WaitingMoney,
}
