import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { type OrderKind, type StandingOrder, withTerms } from '#server/standing-orders/kind.ts'
import { afterDate } from '#server/standing-orders/orders.ts'

/** What a customer's standing orders pay up to a day, each date for itself. */
export async function upcomingOrders(
  deps: Pick<Deps, 'pool' | 'db' | 'clock' | 'slices'>,
  customerId: string,
  until: string,
): Promise<UpcomingPayment[]> {
  const kinds = deps.slices.flatMap(({ standingOrders: kind }) => (kind?.upcoming ? [kind] : []))
  const rows = await deps.db
    .selectFrom('bank.standing_order')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('try_at', '<', timeOn(dayAfter(until)))
    .execute()
  const parts = kinds.map(async (kind) => {
    const orders = rows.filter((row) => row.kind === kind.name).map((row) => withTerms(kind, row))
    const names = orders.length === 0 ? [] : await kind.upcoming?.names(deps, customerId, orders)
    return orders.flatMap((order, index) => datesUpTo(kind, order, names?.[index] ?? '', until))
  })
  return (await Promise.all(parts)).flat()
}

function datesUpTo(kind: OrderKind, order: StandingOrder, name: string, until: string): UpcomingPayment[] {
  const payments: UpcomingPayment[] = []
  const { id, amount_minor: amountMinor } = order
  const paid = { kind: kind.upcoming?.kind ?? 'scheduled', id, name, amountMinor, asset: 'USD' } as const
  const isDue = (next: StandingOrder) => next.status === 'active' && dayOf(next.try_at) <= until
  for (let next = order; isDue(next); next = { ...next, ...afterDate(kind, next) }) {
    payments.push({ ...paid, dueOn: dayOf(next.try_at) })
  }
  return payments
}
