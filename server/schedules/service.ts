import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Interval, PAYMENTS_MOST } from '#contract/intervals.ts'
import {
  type Schedule,
  type ScheduleChange,
  type ScheduleEnd,
  type ScheduleRequest,
  SCHEDULES_MOST,
} from '#contract/schedules.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { dueOn, mayBeScheduled } from '#server/schedules/calendar.ts'
import { planNextRun, stopRuns } from '#server/schedules/runs.ts'
import {
  afterDate,
  changeRow,
  endOf,
  namedSchedules,
  scheduleOf,
  type ScheduleRow,
} from '#server/schedules/schedule.ts'

type ScheduleDeps = Pick<Deps, 'db' | 'clock' | 'policy'>
type Holder = Pick<Customer, 'id'>

/** A customer's active schedules, in the order in which they are next paid. */
export async function schedulesOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Schedule[]> {
  const rows = await namedSchedules(db)
    .where('s.customer_id', '=', customerId)
    .where('s.status', '=', 'active')
    .orderBy('s.try_on')
    .orderBy('s.id')
    .execute()
  return rows.map(scheduleOf)
}

/** Every schedule that a customer ever had, by id; `after` is the last one that was read. */
export async function exportedSchedules(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  let query = db.selectFrom('bank.schedule').selectAll().where('customer_id', '=', customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    amountMinor: row.amount_minor,
    asset: row.asset,
    note: row.note,
    every: row.every,
    nextOn: row.next_on,
    end: endOf(row),
    status: row.status,
    createdAt: row.created_at.toISOString(),
  }))
}

/** One of a customer's schedules. Throws Refusal `not_found`, for another customer's too. */
async function readSchedule({ db }: Pick<Deps, 'db'>, customer: Holder, id: string): Promise<Schedule> {
  const row = await namedSchedules(db)
    .where('s.id', '=', id)
    .where('s.customer_id', '=', customer.id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return scheduleOf(row)
}

/** The columns of an end. Throws Refusal `schedule_end_invalid` for one that leaves no payment from `nextOn` on. */
function endColumns(end: ScheduleEnd, every: Interval, nextOn: string): Pick<ScheduleRow, 'ends_on' | 'remaining'> {
  if (end.kind === 'never') return { ends_on: null, remaining: null }
  const isValid = end.kind === 'on' ? end.on >= nextOn : end.times >= 1 && end.times <= PAYMENTS_MOST
  if (!isValid || every === 'once') throw new Refusal('schedule_end_invalid', 'end')
  return end.kind === 'on' ? { ends_on: end.on, remaining: null } : { ends_on: null, remaining: end.times }
}

function checkAmount({ policy }: Pick<Deps, 'policy'>, amountMinor: number): void {
  if (amountMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

/**
 * Schedules a payment of `amountMinor` US cents, once for its key. Whether the money suffices is asked on each date. Throws
 * Refusal `recipient_invalid`, `recipient_is_self`, `amount_too_large`, `schedule_date_invalid`, `schedule_end_invalid` and
 * `schedules_full`.
 */
export async function createSchedule(
  deps: ScheduleDeps,
  customer: Customer,
  { recipient, amountMinor, asset, note, every, startsOn, end }: ScheduleRequest,
  key: RequestKey,
): Promise<Schedule> {
  const now = deps.clock.businessNow()
  const address = readContact(recipient, customer.phone)
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  if (address.value === customer.email || address.value === customer.phone)
    throw new Refusal('recipient_is_self', 'recipient')
  checkAmount(deps, amountMinor)
  const { result: id } = await once(deps, key, async (trx) => {
    if (!mayBeScheduled(startsOn, now)) throw new Refusal('schedule_date_invalid', 'startsOn')
    const ends = endColumns(end, every, startsOn)
    await makeRoom(trx, customer.id)
    const made = { id: randomUUIDv7(), customer_id: customer.id }
    const dates = { every, anchor_on: startsOn, next_on: startsOn, try_on: dueOn(startsOn), ...ends }
    const what = { recipient, address: address.value, amount_minor: amountMinor, asset, note: note || null }
    await trx
      .insertInto('bank.schedule')
      .values({ ...made, ...what, ...dates, created_at: now })
      .execute()
    await planNextRun(trx, customer.id)
    return made.id
  })
  return readSchedule(deps, customer, id)
}

/** Throws Refusal `schedules_full`, and `sign_in_required` for a customer who has closed at this moment. */
async function makeRoom(trx: Transaction<Database>, customerId: string): Promise<void> {
  // Two that are made at once are counted one after the other, and none is left behind by a customer who is closing.
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
  const { count } = await trx
    .selectFrom('bank.schedule')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  if (count >= SCHEDULES_MOST) throw new Refusal('schedules_full')
}

/**
 * Changes what a schedule pays, when it does so next and when it ends; the dates after it follow the next one. Throws
 * Refusal `not_found`, `schedule_over`, `schedule_changed`, `amount_too_large`, `schedule_date_invalid` and
 * `schedule_end_invalid`.
 */
export async function changeSchedule(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  { version, amountMinor, note, nextOn, end }: ScheduleChange,
  key: RequestKey,
): Promise<Schedule> {
  await once(deps, key, async (trx) => {
    const row = await lockActive(trx, customer, id)
    if (row.version !== version) throw new Refusal('schedule_changed')
    checkAmount(deps, amountMinor)
    const moved = nextOn !== row.next_on
    if (moved && (!mayBeScheduled(nextOn, deps.clock.businessNow()) || nextOn === row.paid_on))
      throw new Refusal('schedule_date_invalid', 'nextOn')
    const ends = endColumns(end, row.every, nextOn)
    const dates = { anchor_on: nextOn, passed: 0, next_on: nextOn, try_on: dueOn(nextOn), refused: false }
    await changeRow(trx, row, { amount_minor: amountMinor, note: note || null, ...ends, ...(moved && dates) })
    await planNextRun(trx, customer.id)
  })
  return readSchedule(deps, customer, id)
}

/** Passes over a schedule's next date. Throws Refusal `not_found`, `schedule_over` and `schedule_changed`. */
export async function skipNext(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  version: number,
  key: RequestKey,
): Promise<Schedule> {
  await once(deps, key, async (trx) => {
    const row = await lockActive(trx, customer, id)
    if (row.version !== version) throw new Refusal('schedule_changed')
    await changeRow(trx, row, afterDate(row))
    await planNextRun(trx, customer.id)
  })
  return readSchedule(deps, customer, id)
}

/** Ends a schedule. Throws Refusal `not_found`, and `schedule_over` where it has ended before. */
export async function cancelSchedule(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  key: RequestKey,
): Promise<Schedule> {
  await once(deps, key, async (trx) => {
    const row = await lockActive(trx, customer, id)
    await changeRow(trx, row, { status: 'cancelled' })
    await planNextRun(trx, customer.id)
  })
  return readSchedule(deps, customer, id)
}

async function lockActive(trx: Transaction<Database>, customer: Holder, id: string): Promise<ScheduleRow> {
  const row = await trx
    .selectFrom('bank.schedule')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customer.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'active') throw new Refusal('schedule_over')
  return row
}

/** Ends what a customer who closes had scheduled. */
export async function endSchedules(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.schedule')
    .set(({ eb }) => ({ status: 'cancelled', version: eb('version', '+', 1) }))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .execute()
  await stopRuns(trx, customerId)
}
