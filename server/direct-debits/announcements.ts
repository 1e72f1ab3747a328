import { DAY_MS } from '#server/platform/durations.ts'
import { businessDayFrom } from '#server/calendar/business-days.ts'
import { nextBillDay, paidFrom } from '#server/calendar/due-dates.ts'
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
/** The job that tells a customer what is coming, and the one that collects it (jobs.ts). */
export const tellDebit = { name: 'direct_debits.tell', payload }
export const collectDue = { name: 'direct_debits.collect', payload }

export type Announcement = {
  /** Of the direct debit, where its biller has named it. */
  id?: string
  /** Moved to the next business day where it is none. */
  dueOn: string
  /** US cents. */
  amountMinor: number
}

/**
 * A biller says what it will collect and when, in the caller's SQL transaction, which has locked the mandate. Answers the
 * direct debit's id. Throws Refusal `mandate_not_active`, `mandate_limit_exceeded`, and `debit_repeated` where it has
 * announced something for that date, or under that id.
 */
export async function announce(trx: Trx, mandate: Mandate, what: Announcement): Promise<string> {
  if (mandate.status !== 'active') throw new Refusal('mandate_not_active')
  if (mandate.limit_minor !== null && what.amountMinor > mandate.limit_minor) {
    throw new Refusal('mandate_limit_exceeded', 'amountMinor')
  }
  const debitId = await add(trx, mandate, what)
  if (!debitId) throw new Refusal('debit_repeated')
  return debitId
}

/** Announces what an invented biller collects next, after `after`; today unless told. What it has announced already stays. */
export async function announceNextBill(
  deps: Pick<Deps, 'clock'>,
  trx: Trx,
  mandate: Mandate,
  after = dayOf(deps.clock.businessNow()),
): Promise<void> {
  const { bill_minor: amountMinor, bill_day: day } = mandate
  if (amountMinor !== null && day !== null) await add(trx, mandate, { dueOn: nextBillDay(day, after), amountMinor })
}

/** Answers the new direct debit's id; null where there is one for that date. */
async function add(trx: Trx, mandate: Mandate, what: Announcement): Promise<string | null> {
  const dueOn = businessDayFrom(what.dueOn)
  const dueAt = paidFrom(dueOn)
  const added = await trx
    .insertInto('bank.direct_debit')
    .values({
      ...(what.id && { id: what.id }),
      mandate_id: mandate.id,
      customer_id: mandate.customer_id,
      amount_minor: what.amountMinor,
      due_on: dueOn,
      due_at: dueAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return null
  const debitId = added.id
  const tellAt = new Date(dueAt.getTime() - NOTICE_DAYS * DAY_MS)
  await enqueue(trx, tellDebit, { debitId }, { at: tellAt, key: `${tellDebit.name}:${debitId}` })
  return debitId
}

/**
 * Tells a customer of what is coming, once, and has it collected when it is due. Where that has come already, its
 * collection says enough.
 */
export async function tellAnnounced(deps: Pick<Deps, 'db' | 'clock' | 'events'>, debitId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.businessNow()
    const waiting = await trx
      .selectFrom('bank.direct_debit')
      .select('due_at')
      .where('id', '=', debitId)
      .where('status', '=', sql.lit('announced'))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!waiting) return
    await enqueue(trx, collectDue, { debitId }, { at: waiting.due_at, key: `${collectDue.name}:${debitId}` })
    const told = await trx
      .updateTable('bank.direct_debit')
      .set({ told_at: now })
      .where('id', '=', debitId)
      .where('told_at', 'is', null)
      .where('due_at', '>', now)
      .returning(['mandate_id', 'customer_id', 'amount_minor', 'asset', 'due_on'])
      .executeTakeFirst()
    if (!told) return
    const { biller_name: name } = await trx
      .selectFrom('bank.mandate')
      .select('biller_name')
      .where('id', '=', told.mandate_id)
      .executeTakeFirstOrThrow()
    const params = { amountMinor: told.amount_minor, asset: told.asset, name, dueOn: told.due_on }
    await notify(deps, trx, { customerId: told.customer_id, kind: 'debit_announced', params })
  })
}
