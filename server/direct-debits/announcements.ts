import { DAY_MS } from '#server/platform/durations.ts'
import { businessDayFrom } from '#server/calendar/business-days.ts'
import { nextBillDay, paymentTime } from '#server/calendar/due-dates.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Selectable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { NOTICE_DAYS } from '#contract/direct-debits.ts'
import { Refusal } from '#contract/errors.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

type Trx = Transaction<Database>
type Mandate = Pick<
  Selectable<Database['bank.mandate']>,
  'id' | 'customer_id' | 'status' | 'limit_minor' | 'bill_minor' | 'bill_day'
>

const payload = z.object({ debitId: z.uuid() })
/** The jobs that notify a customer of a direct debit and collect it (jobs.ts). */
export const notifyDebit = { name: 'direct_debits.tell', payload }
export const collectDue = { name: 'direct_debits.collect', payload }

export type Announcement = {
  /** The direct debit's id if the biller chose it; undefined otherwise. */
  id?: string
  /** The due date, YYYY-MM-DD. If it is no business day, the next business day is used. */
  dueOn: string
  /** US cents. */
  amountMinor: number
}

/**
 * Announces a biller's collection in the caller's SQL transaction, which must hold the mandate's lock. Returns the direct
 * debit's id. Throws Refusal `mandate_not_active`, `mandate_limit_exceeded`, and `debit_repeated` if the biller has already
 * announced a collection for that date or with that id.
 */
export async function announceDebit(trx: Trx, mandate: Mandate, announcement: Announcement): Promise<string> {
  if (mandate.status !== 'active') throw new Refusal('mandate_not_active')
  if (mandate.limit_minor !== null && announcement.amountMinor > mandate.limit_minor) {
    throw new Refusal('mandate_limit_exceeded', 'amountMinor')
  }
  const debitId = await add(trx, mandate, announcement)
  if (!debitId) throw new Refusal('debit_repeated')
  return debitId
}

/**
 * Announces the next bill of an invented biller. The bill is the first one after the date `after`, which is today by default.
 * Does nothing if this bill is already announced.
 */
export async function announceNextBill(
  deps: Pick<Deps, 'clock'>,
  trx: Trx,
  mandate: Mandate,
  after = dayOf(deps.clock.businessNow()),
): Promise<void> {
  const { bill_minor: amountMinor, bill_day: day } = mandate
  if (amountMinor !== null && day !== null) await add(trx, mandate, { dueOn: nextBillDay(day, after), amountMinor })
}

/**
 * Adds a direct debit and returns its id. Returns null if there is already a direct debit for that mandate and date, or with
 * that id.
 */
async function add(trx: Trx, mandate: Mandate, announcement: Announcement): Promise<string | null> {
  const dueOn = businessDayFrom(announcement.dueOn)
  const dueAt = paymentTime(dueOn)
  const addedDebit = await trx
    .insertInto('bank.direct_debit')
    .values({
      ...(announcement.id && { id: announcement.id }),
      mandate_id: mandate.id,
      customer_id: mandate.customer_id,
      amount_minor: announcement.amountMinor,
      due_on: dueOn,
      due_at: dueAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!addedDebit) return null
  const debitId = addedDebit.id
  const tellAt = new Date(dueAt.getTime() - NOTICE_DAYS * DAY_MS)
  await enqueue(trx, notifyDebit, { debitId }, { at: tellAt, key: `${notifyDebit.name}:${debitId}` })
  return debitId
}

/**
 * Notifies a customer once of an announced direct debit, and enqueues its collection for the due time. If the due time has
 * passed, no notice is sent, because the collection sends its own notice.
 */
export async function notifyAnnounced(deps: Pick<Deps, 'db' | 'clock' | 'events'>, debitId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.businessNow()
    const announcedDebit = await trx
      .selectFrom('bank.direct_debit')
      .select('due_at')
      .where('id', '=', debitId)
      .where('status', '=', sql.lit('announced'))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!announcedDebit) return
    await enqueue(trx, collectDue, { debitId }, { at: announcedDebit.due_at, key: `${collectDue.name}:${debitId}` })
    const notifiedDebit = await trx
      .updateTable('bank.direct_debit')
      .set({ told_at: now })
      .where('id', '=', debitId)
      .where('told_at', 'is', null)
      .where('due_at', '>', now)
      .returning(['mandate_id', 'customer_id', 'amount_minor', 'asset', 'due_on'])
      .executeTakeFirst()
    if (!notifiedDebit) return
    const { biller_name: name } = await trx
      .selectFrom('bank.mandate')
      .select('biller_name')
      .where('id', '=', notifiedDebit.mandate_id)
      .executeTakeFirstOrThrow()
    const params = {
      amountMinor: notifiedDebit.amount_minor,
      asset: notifiedDebit.asset,
      name,
      dueOn: notifiedDebit.due_on,
    }
    await notify(deps, trx, { customerId: notifiedDebit.customer_id, kind: 'debit_announced', params })
  })
}
