import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Interval, MAX_PAYMENTS } from '#contract/intervals.ts'
import type { Schedule, ScheduleChange, ScheduleEnd, ScheduleRequest } from '#contract/schedules.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { endOf, scheduledPayments, type ScheduleOrder, schedulesFrom } from '#server/schedules/schedule.ts'
import { mayBeScheduled } from '#server/standing-orders/dates.ts'
import {
  addOrder,
  columnsAfterDate,
  changeOrder,
  everyOrderOf,
  lockStandingOrder,
  columnsForNextDate,
  ordersOf,
  planNextRun,
  readStandingOrder,
} from '#server/standing-orders/orders.ts'

type ScheduleDeps = Pick<Deps, 'db' | 'clock' | 'policy'>
type Holder = Pick<Customer, 'id'>

/** Returns a customer's active schedules, sorted by their next payment. */
export async function schedulesOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Schedule[]> {
  return schedulesFrom(db, customerId, await ordersOf(db, scheduledPayments, customerId))
}

/** Yields all past and current schedules of a customer. */
export async function* exportSchedules({ db }: Pick<Deps, 'db'>, customerId: string) {
  for await (const order of everyOrderOf(db, scheduledPayments, customerId)) {
    yield {
      id: order.id,
      recipient: order.terms.recipient,
      amountMinor: order.amount_minor,
      asset: 'USD',
      note: order.terms.note,
      every: order.every,
      nextOn: order.next_on,
      end: endOf(order),
      status: order.status,
      createdAt: order.created_at.toISOString(),
    }
  }
}

/** Returns one of a customer's schedules. Throws Refusal `not_found`, also for another customer's schedule. */
async function readSchedule({ db }: Pick<Deps, 'db'>, customer: Holder, id: string): Promise<Schedule> {
  const order = await readStandingOrder(db, scheduledPayments, customer.id, id)
  const [schedule] = await schedulesFrom(db, customer.id, [order])
  if (!schedule) throw new Refusal('not_found')
  return schedule
}

/**
 * Returns the columns of a schedule's end. Throws Refusal `schedule_end_invalid` in three cases: the end leaves no payment from
 * `nextOn` on, allows more than `MAX_PAYMENTS` payments, or is for a one-time payment.
 */
function endColumns(end: ScheduleEnd, every: Interval, nextOn: string): Pick<ScheduleOrder, 'ends_on' | 'remaining'> {
  if (end.kind === 'never') return { ends_on: null, remaining: null }
  const isValid = end.kind === 'on' ? end.on >= nextOn : end.times >= 1 && end.times <= MAX_PAYMENTS
  if (!isValid || every === 'once') throw new Refusal('schedule_end_invalid', 'end')
  return end.kind === 'on' ? { ends_on: end.on, remaining: null } : { ends_on: null, remaining: end.times }
}

function checkAmount({ policy }: Pick<Deps, 'policy'>, amountMinor: number): void {
  if (amountMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

/**
 * Schedules a payment of `amountMinor` US cents, once for its request key. The balance is only checked on each date. Throws
 * Refusal `recipient_invalid`, `recipient_is_self`, `amount_too_large`, `schedule_date_invalid`, `schedule_end_invalid` and
 * `schedules_full`.
 */
export async function createSchedule(
  deps: ScheduleDeps,
  customer: Customer,
  { recipient, amountMinor, note, every, startsOn, end }: ScheduleRequest,
  key: RequestKey,
): Promise<Schedule> {
  const address = readContact(recipient, customer.phone)
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  if (address.value === customer.email || address.value === customer.phone)
    throw new Refusal('recipient_is_self', 'recipient')
  checkAmount(deps, amountMinor)
  const { result: id } = await runOnce(deps, key, (trx) =>
    addOrder(deps, trx, scheduledPayments, {
      customerId: customer.id,
      amountMinor,
      terms: { recipient, address: address.value, note: note || null },
      every,
      startsOn,
      ends: endColumns(end, every, startsOn),
    }),
  )
  return readSchedule(deps, customer, id)
}

/**
 * Changes a schedule's amount, note, next date and end. Later dates follow the next one. Throws Refusal `not_found`,
 * `schedule_over`, `schedule_changed`, `amount_too_large`, `schedule_date_invalid` and `schedule_end_invalid`.
 */
export async function changeSchedule(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  { version, amountMinor, note, nextOn, end }: ScheduleChange,
  key: RequestKey,
): Promise<Schedule> {
  await runOnce(deps, key, async (trx) => {
    const order = await lockActive(trx, customer, id)
    if (order.version !== version) throw new Refusal('schedule_changed')
    checkAmount(deps, amountMinor)
    const isMoved = nextOn !== order.next_on
    if (isMoved && (!mayBeScheduled(nextOn, deps.clock.businessNow()) || nextOn === order.done_on))
      throw new Refusal('schedule_date_invalid', 'nextOn')
    const ends = endColumns(end, order.every, nextOn)
    const terms = JSON.stringify({ ...order.terms, note: note || null })
    const dates = isMoved ? columnsForNextDate(scheduledPayments, nextOn) : {}
    await changeOrder(trx, order, { amount_minor: amountMinor, terms, ...ends, ...dates })
    await planNextRun(trx, scheduledPayments, customer.id)
  })
  return readSchedule(deps, customer, id)
}

/** Skips a schedule's next date. Throws Refusal `not_found`, `schedule_over` and `schedule_changed`. */
export async function skipNext(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  version: number,
  key: RequestKey,
): Promise<Schedule> {
  await runOnce(deps, key, async (trx) => {
    const order = await lockActive(trx, customer, id)
    if (order.version !== version) throw new Refusal('schedule_changed')
    await changeOrder(trx, order, columnsAfterDate(scheduledPayments, order))
    await planNextRun(trx, scheduledPayments, customer.id)
  })
  return readSchedule(deps, customer, id)
}

/** Ends a schedule. Throws Refusal `not_found`, and `schedule_over` if it has ended before. */
export async function cancelSchedule(
  deps: ScheduleDeps,
  customer: Holder,
  id: string,
  key: RequestKey,
): Promise<Schedule> {
  await runOnce(deps, key, async (trx) => {
    const order = await lockActive(trx, customer, id)
    await changeOrder(trx, order, { status: 'cancelled' })
    await planNextRun(trx, scheduledPayments, customer.id)
  })
  return readSchedule(deps, customer, id)
}

async function lockActive(trx: Transaction<Database>, customer: Holder, id: string): Promise<ScheduleOrder> {
  const order = await lockStandingOrder(trx, scheduledPayments, customer.id, id)
  if (order.status !== 'active') throw new Refusal('schedule_over')
  return order
}
