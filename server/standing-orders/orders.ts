import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction, Updateable } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Interval } from '#contract/intervals.ts'
import { businessDayFrom } from '#server/calendar/business-days.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { recurringDate } from '#server/calendar/due-dates.ts'
import { timeOn } from '#server/calendar/zone.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import { mayBeScheduled } from '#server/standing-orders/dates.ts'
import { type OrderKind, type OrderRow, type StandingOrder, withTerms } from '#server/standing-orders/kind.ts'

type Trx = Transaction<Database>
type Timing = Pick<OrderKind, 'hour' | 'onBusinessDays'>
type Changes = Omit<Updateable<Database['bank.standing_order']>, 'id' | 'kind' | 'customer_id' | 'version'>

/** When an order is first tried for a date. */
export const tryAt = ({ hour, onBusinessDays }: Timing, date: string): Date =>
  timeOn(onBusinessDays ? businessDayFrom(date) : date, hour)

/** What changes when an order's next date becomes that one, and the dates after it follow it. */
export const movedTo = (kind: Timing, date: string) => ({
  anchor_on: date,
  passed: 0,
  next_on: date,
  try_at: tryAt(kind, date),
  refused: false,
})

type Dates = Pick<OrderRow, 'every' | 'anchor_on' | 'passed' | 'remaining' | 'ends_on'>

/** What changes once an order's next date is over, carried out or not: its dates, or that it has ended. */
export function afterDate(kind: Timing, { every, anchor_on, passed, remaining, ends_on }: Dates) {
  const next_on = recurringDate(anchor_on, every, passed + 1)
  const left = remaining === null ? null : remaining - 1
  const isOver = every === 'once' || left === 0 || (ends_on !== null && next_on > ends_on)
  if (isOver) return { remaining: left, refused: false, status: 'finished' as const }
  return { passed: passed + 1, next_on, try_at: tryAt(kind, next_on), remaining: left, refused: false }
}

const ordersQuery = (db: Kysely<Database>, { name }: Pick<OrderKind, 'name'>, customerId: string) =>
  db.selectFrom('bank.standing_order').selectAll().where('kind', '=', name).where('customer_id', '=', customerId)

/** A customer's orders of a kind that are active or paused, in the order in which they are next tried. */
export async function ordersOf<Terms>(
  db: Kysely<Database>,
  kind: OrderKind<Terms>,
  customerId: string,
): Promise<StandingOrder<Terms>[]> {
  const rows = await ordersQuery(db, kind, customerId)
    .where('status', 'in', ['active', 'paused'])
    .orderBy('try_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => withTerms(kind, row))
}

/** Every order of a kind that a customer ever had, by id. */
export async function* everyOrderOf<Terms>(
  db: Kysely<Database>,
  kind: OrderKind<Terms>,
  customerId: string,
): AsyncGenerator<StandingOrder<Terms>> {
  const rows = everyPage(
    (after: string | null) => {
      const query = ordersQuery(db, kind, customerId)
      return (after === null ? query : query.where('id', '>', after)).orderBy('id').limit(PAGE_SIZE).execute()
    },
    ({ id }) => id,
  )
  for await (const row of rows) yield withTerms(kind, row)
}

/** One of a customer's orders. Throws Refusal `not_found`, for another customer's too. */
export async function readOrder<Terms>(
  db: Kysely<Database>,
  kind: OrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<StandingOrder<Terms>> {
  const row = await ordersQuery(db, kind, customerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return withTerms(kind, row)
}

/**
 * The same, which nobody else changes before the SQL transaction ends. Throws Refusal `not_found`, and `sign_in_required`
 * for a customer who has closed at this moment.
 */
export async function lockOrder<Terms>(
  trx: Trx,
  kind: OrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<StandingOrder<Terms>> {
  await lockOpenCustomer(trx, customerId)
  const row = await ordersQuery(trx, kind, customerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return withTerms(kind, row)
}

/** Changes an order that is still as it was read. Throws Refusal `schedule_changed` where it is not, or has ended. */
export async function changeOrder(
  trx: Trx,
  { id, version, status }: Pick<OrderRow, 'id' | 'version' | 'status'>,
  changes: Changes,
): Promise<void> {
  const { numUpdatedRows: changed } = await trx
    .updateTable('bank.standing_order')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', status)
    .executeTakeFirst()
  if (!changed) throw new Refusal('schedule_changed')
}

type NewOrder<Terms> = {
  customerId: string
  amountMinor: number
  terms: Terms
  every: Interval
  startsOn: string
  ends?: Pick<OrderRow, 'ends_on' | 'remaining'>
}

/**
 * Adds an order and answers its id. Throws Refusal `schedule_date_invalid`, what the kind refuses one too many with, and
 * `sign_in_required` for a customer who has closed at this moment.
 */
export async function addOrder<Terms>(
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  kind: OrderKind<Terms>,
  { customerId, amountMinor, terms, every, startsOn, ends }: NewOrder<Terms>,
): Promise<string> {
  const now = clock.businessNow()
  if (!mayBeScheduled(startsOn, now)) throw new Refusal('schedule_date_invalid', 'startsOn')
  await makeRoom(trx, kind, customerId)
  const id = randomUUIDv7()
  const made = { id, kind: kind.name, customer_id: customerId, created_at: now, active_since: now }
  const what = { amount_minor: amountMinor, terms: JSON.stringify(terms), every }
  await trx
    .insertInto('bank.standing_order')
    .values({ ...made, ...what, ...movedTo(kind, startsOn), ...ends })
    .execute()
  await planNextRun(trx, kind, customerId)
  return id
}

async function makeRoom<Terms>(trx: Trx, { name, room }: OrderKind<Terms>, customerId: string): Promise<void> {
  // Two that are made at once are counted one after the other, and none is left behind by a customer who is closing.
  await lockOpenCustomer(trx, customerId)
  if (!room) return
  const { count } = await trx
    .selectFrom('bank.standing_order')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', name)
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['active', 'paused'])
    .executeTakeFirstOrThrow()
  if (count >= room.most) throw new Refusal(room.full)
}

/** The job that carries out what is due of a customer's orders of a kind: one for all of them, so that the oldest date comes first. */
export const RUN = {
  name: 'standing_orders.run',
  payload: z.object({ kind: z.string(), customerId: z.uuid() }),
}

const runKey = (kind: string, customerId: string) => `${RUN.name}:${kind}:${customerId}`

/**
 * Has a customer's next date of a kind carried out when it is due; one that waits is seen to at the end of its day, and by
 * the sweep before. Two changes at the same moment may leave it too late; the sweep finds what is due.
 */
export async function planNextRun(
  trx: Trx,
  { name: kind }: Pick<OrderKind, 'name'>,
  customerId: string,
  waiting: ReadonlySet<string> = new Set(),
): Promise<void> {
  const orders = await trx
    .selectFrom('bank.standing_order')
    .select(['id', 'next_on', 'try_at'])
    .where('kind', '=', kind)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .execute()
  const key = runKey(kind, customerId)
  if (orders.length === 0) return dequeue(trx, key)
  const moments = orders.map(({ id, next_on, try_at }) =>
    (waiting.has(id) ? timeOn(dayAfter(next_on)) : try_at).getTime(),
  )
  await enqueue(trx, RUN, { kind, customerId }, { at: new Date(Math.min(...moments)), key })
}

/** Ends all orders of a customer who closes. */
export async function endOrders(trx: Trx, customerId: string): Promise<void> {
  const ended = await trx
    .updateTable('bank.standing_order')
    .set(({ eb }) => ({ status: 'cancelled', version: eb('version', '+', 1) }))
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['active', 'paused'])
    .returning('kind')
    .execute()
  for (const kind of new Set(ended.map((row) => row.kind))) await dequeue(trx, runKey(kind, customerId))
}
