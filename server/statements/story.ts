import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import type { StoryPart } from '#server/story/part.ts'

/** Their story lies behind them, and so do its statements: the first they are told of is that of the month they come in. */
export const statementsStory: StoryPart = async ({ clock }, trx, { customer }) => {
  const month = monthOf(firstDayOfMonth(clock.businessNow(), -1))
  await trx.insertInto('bank.statement_told').values({ customer_id: customer.id, month }).execute()
  return []
}
