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
  type StandingOrderKind,
  type StandingOrderRow,
  type StandingOrder,
  withTerms,
} from '#server/standing-orders/kind.ts'
import { columnsAfterDate, changeOrder, planNextRun, readStandingOrder, RUN } from '#server/standing-orders/orders.ts'

type Trx = Transaction<Database>

/**
 * Carries out all due dates of a customer's orders of a kind, including missed ones, the oldest first. Repeated or concurrent
 * runs carry out no date twice.
 */
export async function runDue<Terms>(deps: Deps, kind: StandingOrderKind<Terms>, customerId: string): Promise<void> {
  const waitingIds = new Set<string>()
  for (;;) {
    const row = await oldestDue(deps, kind, customerId, waitingIds)
    if (!row) break
    const outcome = await carryOut(deps, kind, withTerms(kind, row))
    if (outcome === 'busy') break
    if (outcome === 'waits') waitingIds.add(row.id)
  }
  await kind.afterwards?.(deps, customerId)
  await inTransaction(deps.db, async (trx) => {
    await lockCustomer(trx, customerId)
    await planNextRun(trx, kind, customerId, waitingIds)
  })
}

/**
 * Runs all due dates of the customer if the given order has a due date. A late job thus gives the customer no extra time for
 * changes. Throws Refusal `not_found`.
 */
export async function runDueBefore<Terms>(
  deps: Deps,
  kind: StandingOrderKind<Terms>,
  customerId: string,
  id: string,
): Promise<void> {
  // Another server may just have moved the business clock forward.
  await deps.clock.refresh()
  const { status, try_at: due } = await readStandingOrder(deps.db, kind, customerId, id)
  if (status === 'active' && due <= deps.clock.businessNow()) await runDue(deps, kind, customerId)
}

const dueQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db.selectFrom('bank.standing_order').where('status', '=', 'active').where('try_at', '<=', clock.businessNow())

function oldestDue<Terms>(
  deps: Deps,
  { name }: StandingOrderKind<Terms>,
  customerId: string,
  without: ReadonlySet<string>,
): Promise<StandingOrderRow | undefined> {
  let query = dueQuery(deps).selectAll().where('customer_id', '=', customerId).where('kind', '=', name)
  if (without.size > 0) query = query.where('id', 'not in', [...without])
  return query.orderBy('next_on').orderBy('id').limit(1).executeTakeFirst()
}

/**
 * Carries out an order's next date, or records its refusal. The money and the order change in one commit, and only if the order
 * has not changed since it was read. A customer's concurrent change thus takes effect either before or after the date. Returns
 * 'done', 'busy' if another server is carrying out the date, or 'waits' if the date must be tried again later on its day.
 */
async function carryOut<Terms>(
  deps: Deps,
  kind: StandingOrderKind<Terms>,
  order: StandingOrder<Terms>,
): Promise<'done' | 'busy' | 'waits'> {
  let isTaken = false
  const take = async (trx: Trx): Promise<void> => {
    await changeOrder(trx, order, { ...columnsAfterDate(kind, order), done_on: order.next_on })
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

/** Locks the order's customer. Throws Refusal `schedule_changed` if the customer has closed, which ended the order. */
async function lockOwner(trx: Trx, { customer_id: id }: Pick<StandingOrderRow, 'customer_id'>) {
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

/** Postpones a refused date to the next business day. After the last try, or if the kind does not retry, skips the date. */
async function refuse<Terms>(
  deps: Deps,
  kind: StandingOrderKind<Terms>,
  order: StandingOrder<Terms>,
  { code }: Refusal,
): Promise<void> {
  const nextTryOn = businessDayAfter(dayOf(deps.clock.businessNow()))
  const isLastTry = !kind.retries || nextTryOn > lastTryOn(order.next_on)
  const retryColumns = { try_at: timeOn(nextTryOn, kind.hour), refused: true }
  try {
    await inTransaction(deps.db, async (trx) => {
      await changeOrder(trx, order, isLastTry ? columnsAfterDate(kind, order) : retryColumns)
      await kind.refused(deps, trx, order, { code, isLastTry })
    })
  } catch (error) {
    // Meanwhile the customer has changed the order, or another server has carried out the date.
    if (!(error instanceof Refusal && error.code === 'schedule_changed')) throw error
  }
}

function kindNamed({ slices }: Pick<Deps, 'slices'>, name: string): StandingOrderKind {
  const kind = slices.map(({ standingOrders }) => standingOrders).find((order) => order?.name === name)
  if (!kind) throw new Error(`No slice has standing orders of the kind ${name}`)
  return kind
}

export const runOrdersJob = defineJob({
  ...RUN,
  work: (deps: Deps, { kind, customerId }: { kind: string; customerId: string }) =>
    runDue(deps, kindNamed(deps, kind), customerId),
})

type Due = Pick<StandingOrderRow, 'kind'> & { id: string }

/**
 * Returns a page of the customers with due orders, with the kind of the orders. `after` is the last row of the previous page.
 */
function dueCustomers(deps: Deps, after: Due | null): Promise<Due[]> {
  let query = dueQuery(deps).select(['customer_id as id', 'kind']).distinct()
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('customer_id', 'kind'), '>', tuple(after.id, after.kind)),
    )
  return query.orderBy('customer_id').orderBy('kind').limit(PAGE_SIZE).execute()
}

/** Carries out due dates whose own job is lost or no longer retried. Also tries dates that wait. */
export const sweepOrdersJob = defineSweep({
  name: 'standing_orders.run_overdue',
  everyMinutes: 5,
  find: dueCustomers,
  work: (deps, { id, kind }) => runDue(deps, kindNamed(deps, kind), id),
  failed: 'standing orders that are due could not be carried out',
})

/** Describes a kind's overdue dates for monitoring. */
export const overdueOrdersOf = <Terms>({ name: kind, overdue }: StandingOrderKind<Terms>): WaitingMoney => ({
  name: overdue.name,
  overdueSince: async (deps) => {
    const { oldest } = await dueQuery(deps)
      .select(({ fn }) => fn.min<Date | null>('try_at').as('oldest'))
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return oldest && new Date(oldest.getTime() + overdue.afterHours * HOUR_MS)
  },
})
