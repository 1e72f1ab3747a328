import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { UpcomingPart } from '#server/accounts/upcoming.ts'
import { afterDate, type PlanRow } from '#server/investing/plans/plan.ts'

/** A customer's recurring investments up to a day, each date for itself. */
export const upcomingInvestments: UpcomingPart = async ({ db }, customerId, until) => {
  const rows = await db
    .selectFrom('bank.fund_plan')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('due_on', '<=', until)
    .execute()
  return rows.flatMap((row) => datesUpTo(row, until))
}

function datesUpTo(row: PlanRow, until: string): UpcomingPayment[] {
  const { id, fund: name, amount_minor: amountMinor } = row
  const payments: UpcomingPayment[] = []
  for (let next = row; next.due_on <= until; next = { ...next, ...afterDate(next) }) {
    payments.push({ kind: 'investment', id, name, amountMinor, asset: 'USD', dueOn: next.due_on })
  }
  return payments
}
