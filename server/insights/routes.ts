import {
  analytics,
  analyticsQuery,
  budgetRequest,
  cashFlowForecast,
  categoryPaymentPage,
  categoryPaymentsQuery,
  recategoriseRequest,
  recurringPayments,
} from '#contract/analytics.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { routes } from '#server/identity/access/route.ts'
import { setBudget } from '#server/insights/budgets/budgets.ts'
import { forecastMonth } from '#server/insights/forecast/forecast.ts'
import { categoryPayments } from '#server/insights/months/payments.ts'
import { recategorise } from '#server/insights/months/recategorise.ts'
import { readAnalytics } from '#server/insights/overview.ts'
import { recurringAhead } from '#server/insights/recurring/recurring.ts'

const asset = 'USD' as const

export const insightRoutes = routes('Analytics', { live: true })
  .get(
    '/analytics',
    {
      refuses: ['month_invalid'],
      summary: 'What you spent in a month, and on what',
      description:
        'This month unless told; it is compared with the same days of last month. Refunds are taken off; payments to people are no spending.',
      query: analyticsQuery,
      response: analytics,
      responseDescription: 'As of now',
    },
    async (c) => readAnalytics(await fromReplica(c.deps), c.customer.id, c.query.month),
  )
  .get(
    '/analytics/payments',
    {
      summary: "What a month's spending in a category is made of, newest first",
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
      summary: 'Call a payment, or all payments to its payee, by another category',
      description: 'Counts in analytics and budgets. What was booked stays as it is.',
      body: recategoriseRequest,
    },
    async (c) => {
      await recategorise(c.deps, c.customer.id, c.params.id, c.body)
    },
  )
  .put(
    '/analytics/budgets',
    { summary: 'Set what you want to spend at most in a category each month, or nothing', body: budgetRequest },
    async (c) => {
      await setBudget(c.deps, c.customer.id, c.body)
    },
  )
  .get(
    '/analytics/recurring',
    {
      summary: 'What you pay again and again, the next first',
      response: recurringPayments,
      responseDescription: 'As the bank found them among your payments',
    },
    async (c) => {
      const found = await recurringAhead(await fromReplica(c.deps), c.customer.id)
      const payments = found.map(({ previousAmountMinor = null, grid: _grid, paid: _paid, ...one }) => ({
        ...one,
        previousAmountMinor,
      }))
      return { asset, payments }
    },
  )
  .get(
    '/analytics/forecast',
    {
      summary: 'What your current account is expected to hold at the end of the month',
      description:
        'From income that comes again, payments that are known of, recurring ones, and what you spend day by day. The error is measured on your past months.',
      response: cashFlowForecast,
      responseDescription: 'As of now',
    },
    async (c) => ({ asset, ...(await forecastMonth(await fromReplica(c.deps), c.customer)) }),
  )
