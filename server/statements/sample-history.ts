import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import type { SampleHistoryPart } from '#server/sample-history/part.ts'

/**
 * A sample customer's history is in the past. The first statement notification is for the month in which the customer is
 * created.
 */
export const statementsSampleHistory: SampleHistoryPart = async ({ clock }, trx, { customer }) => {
  const month = monthOf(firstDayOfMonth(clock.businessNow(), -1))
  await trx.insertInto('bank.statement_told').values({ customer_id: customer.id, month }).execute()
  return []
}
