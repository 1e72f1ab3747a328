import {
  analytics,
  analyticsQuery,
  budgetRequest,
  cashFlowForecast,
  categoryPaymentPage,
  categoryPaymentsQuery,
  recategorizeRequest,
  recurringPayments,
} from '#contract/analytics.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { routes } from '#server/identity/access/route.ts'
import { setBudget } from '#server/insights/budgets.ts'
import { forecastMonth } from '#server/insights/forecast.ts'
import { categoryPayments } from '#server/insights/months/payments.ts'
import { recategorize } from '#server/insights/months/recategorize.ts'
import { readAnalytics } from '#server/insights/overview.ts'
import { findUpcomingRecurring } from '#server/insights/recurring/recurring.ts'

const asset = 'USD' as const

export const insightRoutes = routes('Analytics', { live: true })
  .get(
    '/analytics',
    {
      refuses: ['month_invalid'],
      summary: 'Your spending in a month, by category',
      description:
        'The default is this month, which is compared with the same days of last month. Refunds are deducted. Payments to people do not count as spending.',
      query: analyticsQuery,
      response: analytics,
      responseDescription: 'As of now',
    },
    async (c) => readAnalytics(await fromReplica(c.deps), c.customer.id, c.query.month),
  )
  .get(
    '/analytics/payments',
    {
      summary: "The payments behind a month's spending in a category, newest first",
      query: categoryPaymentsQuery,
      response: categoryPaymentPage,
      responseDescription: 'A page',
    },
    async (c) => categoryPayments(await fromReplica(c.deps), c.customer.id, c.query),
  )
  .put(
    '/analytics/payments/{id}/category',
    {
      refuses: ['category_fixed'],
      summary: 'Assign another category to a payment or to all payments to its payee',
      description: 'Applies to analytics and budgets. The booked payment does not change.',
      body: recategorizeRequest,
    },
    async (c) => {
      await recategorize(c.deps, c.customer.id, c.params.id, c.body)
    },
  )
  .put(
    '/analytics/budgets',
    { summary: "Set or remove a category's monthly budget", body: budgetRequest },
    async (c) => {
      await setBudget(c.deps, c.customer.id, c.body)
    },
  )
  .get(
    '/analytics/recurring',
    {
      summary: 'Your recurring payments, next due first',
      response: recurringPayments,
      responseDescription: 'The recurring payments that the bank has found',
    },
    async (c) => {
      const recurring = await findUpcomingRecurring(await fromReplica(c.deps), c.customer.id)
      const payments = recurring.map(({ previousAmountMinor = null, grid: _grid, paid: _paid, ...payment }) => ({
        ...payment,
        previousAmountMinor,
      }))
      return { asset, payments }
    },
  )
  .get(
    '/analytics/forecast',
    {
      summary: 'The forecast balance of your current account at the end of the month',
      description:
        'Includes recurring income, known and recurring payments, and your daily spending. The error is measured on your past months.',
      response: cashFlowForecast,
      responseDescription: 'As of now',
    },
    async (c) => ({ asset, ...(await forecastMonth(await fromReplica(c.deps), c.customer)) }),
  )
