import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { UpcomingPart } from '#server/accounts/upcoming.ts'
import { recurringQuery, type RecurringRow } from '#server/crypto/recurring/recurring.ts'
import { dateOf } from '#server/schedules/calendar.ts'

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
  const { id, asset: name, amount_minor: amountMinor, anchor_on: anchorOn, every } = row
  const payments: UpcomingPayment[] = []
  let { next_on: dueOn, passed } = row
  while (dueOn <= until) {
    payments.push({ kind: 'recurring_buy', id, name, amountMinor, asset: 'USD', dueOn })
    passed += 1
    dueOn = dateOf(anchorOn, every, passed)
  }
  return payments
}
