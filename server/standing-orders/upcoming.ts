import type { ShallowDehydrateObject } from 'kysely'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { defineUpcoming } from '#server/bank/upcoming.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import {
  type StandingOrderKind,
  type StandingOrderRow,
  type StandingOrder,
  withTerms,
} from '#server/standing-orders/kind.ts'
import { columnsAfterDate } from '#server/standing-orders/orders.ts'

/** The upcoming payments of a customer's standing orders, one for each date. */
export const upcomingOrders = defineUpcoming({
  rows: (db, { customerId, until }) =>
    db
      .selectFrom('bank.standing_order')
      .selectAll()
      .where('customer_id', '=', customerId)
      .where('status', '=', 'active')
      .where('try_at', '<', timeOn(dayAfter(until))),
  async payments(deps, { customerId, until }, rows) {
    const kinds = deps.slices.flatMap(({ standingOrders: kind }) => (kind?.upcoming ? [kind] : []))
    const parts = kinds.map(async (kind) => {
      const orders = rows.filter((row) => row.kind === kind.name).map((row) => withTerms(kind, withInstants(row)))
      const names = orders.length === 0 ? [] : await kind.upcoming?.names(deps, customerId, orders)
      return orders.flatMap((order, index) => datesUpTo(kind, order, names?.[index] ?? '', until))
    })
    return (await Promise.all(parts)).flat()
  },
})

/** Converts the text instants of a row read as JSON. */
const withInstants = (row: ShallowDehydrateObject<StandingOrderRow>): StandingOrderRow => ({
  ...row,
  active_since: new Date(row.active_since),
  created_at: new Date(row.created_at),
  try_at: new Date(row.try_at),
})

function datesUpTo(kind: StandingOrderKind, order: StandingOrder, name: string, until: string): UpcomingPayment[] {
  const payments: UpcomingPayment[] = []
  const { id, amount_minor: amountMinor } = order
  const paid = { kind: kind.upcoming?.kind ?? 'scheduled', id, name, amountMinor, asset: 'USD' } as const
  const isDue = (next: StandingOrder) => next.status === 'active' && dayOf(next.try_at) <= until
  for (let next = order; isDue(next); next = { ...next, ...columnsAfterDate(kind, next) }) {
    payments.push({ ...paid, dueOn: dayOf(next.try_at) })
  }
  return payments
}
