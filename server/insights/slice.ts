import type { Transaction } from 'kysely'
import { monthOf } from '#server/calendar/months.ts'
import { budgetsOf } from '#server/insights/budgets.ts'
import { payeeMonthsBackfill } from '#server/insights/history/payee-months.ts'
import { insightRoutes } from '#server/insights/routes.ts'
import { insightNoticesJob } from '#server/insights/notices.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Deletes everything stored here for a customer. All of it derives from their entries or is their own choice. */
async function forget(trx: Transaction<Database>, customerId: string): Promise<void> {
  for (const table of ['bank.payee_day', 'bank.payee_month'] as const) {
    await trx
      .deleteFrom(table)
      .where('account_id', 'in', ({ selectFrom }) =>
        selectFrom('bank.insight_account').select('account_id').where('customer_id', '=', customerId),
      )
      .execute()
  }
  await trx.deleteFrom('bank.insight_account').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.payee_category').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.line_category').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.budget').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.budget_notice').where('customer_id', '=', customerId).execute()
  await trx.deleteFrom('bank.price_notice').where('customer_id', '=', customerId).execute()
}

/** The slice of customers' spending by category, recurring payments and forecasts. */
export const insights = defineSlice({
  name: 'insights',
  routes: () => insightRoutes,
  jobs: [insightNoticesJob, payeeMonthsBackfill],
  exportOf: ({ db, clock }, { customerId }) => ({
    budgets: async () => Object.fromEntries(await budgetsOf(db, customerId, monthOf(clock.businessNow()))),
    payeeCategories: () =>
      db
        .selectFrom('bank.payee_category')
        .select(['payee', 'category'])
        .where('customer_id', '=', customerId)
        .orderBy('payee')
        .execute(),
    paymentCategories: () =>
      db
        .selectFrom('bank.line_category')
        .select(['line_id as transactionId', 'category'])
        .where('customer_id', '=', customerId)
        .orderBy('line_id')
        .execute(),
  }),
  closeCustomer: forget,
})
