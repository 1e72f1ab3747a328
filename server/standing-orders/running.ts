import { defineSweep } from '#server/platform/jobs/sweep.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { businessDayAfter } from '#server/calendar/business-days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { HOUR_MS } from '#server/platform/durations.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { lastTryOn } from '#server/standing-orders/dates.ts'
import {
  type DueDate,
  type OrderKind,
  type OrderRow,
  type StandingOrder,
  withTerms,
} from '#server/standing-orders/kind.ts'
import { afterDate, changeOrder, planNextRun, readOrder, RUN } from '#server/standing-orders/orders.ts'

type Trx = Transaction<Database>

/**
 * Carries out all dates of a customer's orders of a kind that are due, those that were missed too, the oldest first. Done
 * again, or twice at once, it carries out no date twice.
 */
export async function runDue<Terms>(deps: Deps, kind: OrderKind<Terms>, customerId: string): Promise<void> {
  const waiting = new Set<string>()
  for (;;) {
    const row = await oldestDue(deps, kind, customerId, waiting)
    if (!row) break
    const outcome = await carryOut(deps, kind, withTerms(kind, row))
    if (outcome === 'busy') break
    if (outcome === 'waits') waiting.add(row.id)
  }
  await kind.afterwards?.(deps, customerId)
  await inTransaction(deps.db, async (trx) => {
    await lockCustomer(trx, customerId)
    await planNextRun(trx, kind, customerId, waiting)
  })
}

/** The same where that includes a date of the given order: a job that is late gives nobody a choice. Throws Refusal `not_found`. */
export async function runBefore<Terms>(
  deps: Deps,
  kind: OrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<void> {
  // Another server may just have put the date forward.
  await deps.clock.refresh()
  const { status, try_at: due } = await readOrder(deps.db, kind, customerId, id)
  if (status === 'active' && due <= deps.clock.businessNow()) await runDue(deps, kind, customerId)
}

const dueQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db.selectFrom('bank.standing_order').where('status', '=', 'active').where('try_at', '<=', clock.businessNow())

function oldestDue<Terms>(
  deps: Deps,
  { name }: OrderKind<Terms>,
  customerId: string,
  without: ReadonlySet<string>,
): Promise<OrderRow | undefined> {
  let query = dueQuery(deps).selectAll().where('customer_id', '=', customerId).where('kind', '=', name)
  if (without.size > 0) query = query.where('id', 'not in', [...without])
  return query.orderBy('next_on').orderBy('id').limit(1).executeTakeFirst()
}

/**
 * Carries out an order's next date, or notes why it was refused. The money and the order change in one commit, and only while
 * the order is as it was read: what its customer changes at this moment comes before the date or after it. Answers 'busy'
 * where another server is at it.
 */
async function carryOut<Terms>(
  deps: Deps,
  kind: OrderKind<Terms>,
  order: StandingOrder<Terms>,
): Promise<'done' | 'busy' | 'waits'> {
  let isTaken = false
  const take = async (trx: Trx): Promise<void> => {
    await changeOrder(trx, order, { ...afterDate(kind, order), done_on: order.next_on })
    isTaken = true
  }
  const book: DueDate['book'] = (work) =>
    inTransaction(deps.db, async (trx) => {
      await work(trx, await lockOwner(trx, order))
      await take(trx)
    })
  try {
    const outcome = await kind.perform(deps, order, { book, take })
    if (outcome === 'waits') return 'waits'
    return isTaken ? 'done' : 'busy'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'schedule_changed') return 'done'
    if (!kind.isRefused(error.code)) throw error
    await refuse(deps, kind, order, error)
    return 'done'
  }
}

/** Whose order it is. Throws Refusal `schedule_changed` where they have closed, and so ended it. */
async function lockOwner(trx: Trx, { customer_id: id }: Pick<OrderRow, 'customer_id'>) {
  const owner = await trx
    .selectFrom('bank.customer')
    .select(['current_account_id', 'verified_at'])
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!owner) throw new Refusal('schedule_changed')
  return { id, currentAccountId: owner.current_account_id, verified: owner.verified_at !== null }
}

/** Has a date that was refused tried again on the next business day, or passes over it where that was the last try. */
async function refuse<Terms>(
  deps: Deps,
  kind: OrderKind<Terms>,
  order: StandingOrder<Terms>,
  { code }: Refusal,
): Promise<void> {
  const nextTryOn = businessDayAfter(dayOf(deps.clock.businessNow()))
  const isLastTry = !kind.retries || nextTryOn > lastTryOn(order.next_on)
  const later = { try_at: timeOn(nextTryOn, kind.hour), refused: true }
  try {
    await inTransaction(deps.db, async (trx) => {
      await changeOrder(trx, order, isLastTry ? afterDate(kind, order) : later)
      await kind.refused(deps, trx, order, { code, isLastTry })
    })
  } catch (error) {
    // The customer, or another server, has seen to it.
    if (!(error instanceof Refusal && error.code === 'schedule_changed')) throw error
  }
}

function kindNamed({ slices }: Pick<Deps, 'slices'>, name: string): OrderKind {
  const kind = slices.map(({ standingOrders }) => standingOrders).find((one) => one?.name === name)
  if (!kind) throw new Error(`No slice has standing orders of the kind ${name}`)
  return kind
}

export const runOrdersJob = defineJob({
  ...RUN,
  work: (deps: Deps, { kind, customerId }: { kind: string; customerId: string }) =>
    runDue(deps, kindNamed(deps, kind), customerId),
})

type Due = Pick<OrderRow, 'kind'> & { id: string }

/** Customers of whom orders of a kind are due. */
function dueCustomers(deps: Deps, after: Due | null): Promise<Due[]> {
  let query = dueQuery(deps).select(['customer_id as id', 'kind']).distinct()
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('customer_id', 'kind'), '>', tuple(after.id, after.kind)),
    )
  return query.orderBy('customer_id').orderBy('kind').limit(PAGE_SIZE).execute()
}

/** Carries out what is due whose own job failed for good or was lost, and what waits. */
export const sweepOrdersJob = defineSweep({
  name: 'standing_orders.run_overdue',
  everyMinutes: 5,
  find: dueCustomers,
  work: (deps, { id, kind }) => runDue(deps, kindNamed(deps, kind), id),
  failed: 'standing orders that are due could not be carried out',
})

/** What of a kind should have been carried out by now. */
export const overdueOf = <Terms>({ name: kind, overdue }: OrderKind<Terms>): WaitingMoney => ({
  name: overdue.name,
  overdueSince: async (deps) => {
    const { oldest } = await dueQuery(deps)
      .select(({ fn }) => fn.min<Date | null>('try_at').as('oldest'))
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return oldest && new Date(oldest.getTime() + overdue.afterHours * HOUR_MS)
  },
})
