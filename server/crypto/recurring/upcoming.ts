import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { UpcomingPart } from '#server/accounts/upcoming.ts'
import { afterDate, recurringQuery, type RecurringRow } from '#server/crypto/recurring/recurring.ts'

/** A customer's recurring buys up to a day, each date for itself. */
export const upcomingBuys: UpcomingPart = async ({ db }, customerId, until) => {
  const rows = await recurringQuery(db)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('bank.crypto_recurring.next_on', '<=', until)
    .execute()
  return rows.flatMap((row) => datesUpTo(row, until))
}

function datesUpTo(row: RecurringRow, until: string): UpcomingPayment[] {
  const { id, asset: name, amount_minor: amountMinor } = row
  const payments: UpcomingPayment[] = []
  for (let next = row; next.next_on <= until; next = { ...next, ...afterDate(next) }) {
    payments.push({ kind: 'recurring_buy', id, name, amountMinor, asset: 'USD', dueOn: next.next_on })
  }
  return payments
}
