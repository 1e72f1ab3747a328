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
import {
  type StandingOrderKind,
  type StandingOrderRow,
  type StandingOrder,
  withTerms,
} from '#server/standing-orders/kind.ts'

type Trx = Transaction<Database>
type Timing = Pick<StandingOrderKind, 'hour' | 'onBusinessDays'>
type Changes = Omit<Updateable<Database['bank.standing_order']>, 'id' | 'kind' | 'customer_id' | 'version'>

/** Returns the time of the first try for a date. */
export const firstTryTime = ({ hour, onBusinessDays }: Timing, date: string): Date =>
  timeOn(onBusinessDays ? businessDayFrom(date) : date, hour)

/** Returns the columns that change when an order gets a new next date. Later dates are counted from this date. */
export const columnsForNextDate = (kind: Timing, date: string) => ({
  anchor_on: date,
  passed: 0,
  next_on: date,
  try_at: firstTryTime(kind, date),
  refused: false,
})

type Dates = Pick<StandingOrderRow, 'every' | 'anchor_on' | 'passed' | 'remaining' | 'ends_on'>

/** Returns the columns that change after an order's date was carried out or skipped: its dates, or its end. */
export function columnsAfterDate(kind: Timing, { every, anchor_on, passed, remaining, ends_on }: Dates) {
  const next_on = recurringDate(anchor_on, every, passed + 1)
  const newRemaining = remaining === null ? null : remaining - 1
  const isOver = every === 'once' || newRemaining === 0 || (ends_on !== null && next_on > ends_on)
  if (isOver) return { remaining: newRemaining, refused: false, status: 'finished' as const }
  return { passed: passed + 1, next_on, try_at: firstTryTime(kind, next_on), remaining: newRemaining, refused: false }
}

const ordersQuery = (db: Kysely<Database>, { name }: Pick<StandingOrderKind, 'name'>, customerId: string) =>
  db.selectFrom('bank.standing_order').selectAll().where('kind', '=', name).where('customer_id', '=', customerId)

/** Returns a customer's active and paused orders of a kind, sorted by their next try. */
export async function ordersOf<Terms>(
  db: Kysely<Database>,
  kind: StandingOrderKind<Terms>,
  customerId: string,
): Promise<StandingOrder<Terms>[]> {
  const rows = await ordersQuery(db, kind, customerId)
    .where('status', 'in', ['active', 'paused'])
    .orderBy('try_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => withTerms(kind, row))
}

/** Yields all past and current orders of a kind of a customer, by id. */
export async function* everyOrderOf<Terms>(
  db: Kysely<Database>,
  kind: StandingOrderKind<Terms>,
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

/** Returns one of a customer's orders. Throws Refusal `not_found`, also for another customer's order. */
export async function readStandingOrder<Terms>(
  db: Kysely<Database>,
  kind: StandingOrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<StandingOrder<Terms>> {
  const row = await ordersQuery(db, kind, customerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return withTerms(kind, row)
}

/**
 * Locks one of a customer's orders until the SQL transaction ends. Throws Refusal `not_found`, and `sign_in_required` for a
 * customer who closes at this moment.
 */
export async function lockStandingOrder<Terms>(
  trx: Trx,
  kind: StandingOrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<StandingOrder<Terms>> {
  await lockOpenCustomer(trx, customerId)
  const row = await ordersQuery(trx, kind, customerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return withTerms(kind, row)
}

/** Changes an order unless it has changed since it was read. Throws Refusal `schedule_changed` if it has changed or ended. */
export async function changeOrder(
  trx: Trx,
  { id, version, status }: Pick<StandingOrderRow, 'id' | 'version' | 'status'>,
  changes: Changes,
): Promise<void> {
  const { numUpdatedRows: changedCount } = await trx
    .updateTable('bank.standing_order')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', status)
    .executeTakeFirst()
  if (!changedCount) throw new Refusal('schedule_changed')
}

type NewOrder<Terms> = {
  customerId: string
  amountMinor: number
  terms: Terms
  every: Interval
  startsOn: string
  ends?: Pick<StandingOrderRow, 'ends_on' | 'remaining'>
}

/**
 * Adds an order and returns its id. Throws Refusal `schedule_date_invalid`, the kind's refusal if the customer has the maximum
 * number of orders, and `sign_in_required` for a customer who closes at this moment.
 */
export async function addOrder<Terms>(
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  kind: StandingOrderKind<Terms>,
  { customerId, amountMinor, terms, every, startsOn, ends }: NewOrder<Terms>,
): Promise<string> {
  const now = clock.businessNow()
  if (!mayBeScheduled(startsOn, now)) throw new Refusal('schedule_date_invalid', 'startsOn')
  await makeRoom(trx, kind, customerId)
  const id = randomUUIDv7()
  const identityColumns = { id, kind: kind.name, customer_id: customerId, created_at: now, active_since: now }
  const termColumns = { amount_minor: amountMinor, terms: JSON.stringify(terms), every }
  await trx
    .insertInto('bank.standing_order')
    .values({ ...identityColumns, ...termColumns, ...columnsForNextDate(kind, startsOn), ...ends })
    .execute()
  await planNextRun(trx, kind, customerId)
  return id
}

async function makeRoom<Terms>(trx: Trx, { name, room }: StandingOrderKind<Terms>, customerId: string): Promise<void> {
  // Under the lock, concurrent orders are counted one after the other. The lock also prevents an order of a customer who is
  // closing.
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

/**
 * The job that carries out a customer's due dates of one kind. One job carries out the dates of all orders, so that the oldest
 * date runs first.
 */
export const RUN = {
  name: 'standing_orders.run',
  payload: z.object({ kind: z.string(), customerId: z.uuid() }),
}

const runKey = (kind: string, customerId: string) => `${RUN.name}:${kind}:${customerId}`

/**
 * Schedules the job for a customer's next date of a kind. For a date that waits, the job runs at the end of the date's day; the
 * sweep tries the date earlier. Two concurrent changes may schedule the job too late; the sweep then finds the due date.
 */
export async function planNextRun(
  trx: Trx,
  { name: kind }: Pick<StandingOrderKind, 'name'>,
  customerId: string,
  waitingIds: ReadonlySet<string> = new Set(),
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
    (waitingIds.has(id) ? timeOn(dayAfter(next_on)) : try_at).getTime(),
  )
  await enqueue(trx, RUN, { kind, customerId }, { at: new Date(Math.min(...moments)), key })
}

/** Ends all orders of a customer who closes. */
export async function endOrders(trx: Trx, customerId: string): Promise<void> {
  const endedRows = await trx
    .updateTable('bank.standing_order')
    .set(({ eb }) => ({ status: 'cancelled', version: eb('version', '+', 1) }))
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['active', 'paused'])
    .returning('kind')
    .execute()
  for (const kind of new Set(endedRows.map((row) => row.kind))) await dequeue(trx, runKey(kind, customerId))
}
