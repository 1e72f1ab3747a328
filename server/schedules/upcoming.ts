import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { UpcomingPart } from '#server/accounts/upcoming.ts'
import { afterDate, nameOf, type NamedRow, namedSchedules } from '#server/schedules/schedule.ts'

/** A customer's scheduled payments up to a day, each date of a schedule for itself. */
export const upcomingSchedules: UpcomingPart = async ({ db }, customerId, until) => {
  const rows = await namedSchedules(db)
    .where('s.customer_id', '=', customerId)
    .where('s.status', '=', 'active')
    .where('s.try_on', '<=', until)
    .execute()
  return rows.flatMap((row) => datesUpTo(row, until))
}

function datesUpTo(row: NamedRow, until: string): UpcomingPayment[] {
  const { id, amount_minor: amountMinor, asset } = row
  const payments: UpcomingPayment[] = []
  for (let next = row; next.status === 'active' && next.try_on <= until; next = { ...next, ...afterDate(next) }) {
    payments.push({ kind: 'scheduled', id, name: nameOf(row), amountMinor, asset, dueOn: next.try_on })
  }
  return payments
}
