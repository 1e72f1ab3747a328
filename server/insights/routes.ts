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
import { defineRoute, router } from '#server/identity/access/route.ts'
import { setBudget } from '#server/insights/budgets/budgets.ts'
import { forecastMonth } from '#server/insights/forecast/forecast.ts'
import { categoryPayments } from '#server/insights/months/payments.ts'
import { recategorise } from '#server/insights/months/recategorise.ts'
import { readAnalytics } from '#server/insights/overview.ts'
import { recurringAhead } from '#server/insights/recurring/recurring.ts'
import { answers, body, done } from '#server/platform/http/described.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Analytics']

const getAnalytics = defineRoute({
  method: 'get',
  path: '/analytics',
  summary: 'What you spent in a month, and on what',
  description:
    'This month unless told; it is compared with the same days of last month. Refunds are taken off; payments to people are no spending.',
  tags,
  request: { query: analyticsQuery },
  responses: answers('As of now', analytics),
})

const getPayments = defineRoute({
  method: 'get',
  path: '/analytics/payments',
  summary: "What a month's spending in a category is made of, newest first",
  tags,
  request: { query: categoryPaymentsQuery },
  responses: answers('A page', categoryPaymentPage),
})

const putCategory = defineRoute({
  method: 'put',
  path: '/analytics/payments/{id}/category',
  summary: 'Call a payment, or all payments to its payee, by another category',
  description: 'Counts in analytics and budgets. What was booked stays as it is.',
  tags,
  request: { params: idParam, body: body(recategoriseRequest) },
  responses: done,
})

const putBudget = defineRoute({
  method: 'put',
  path: '/analytics/budgets',
  summary: 'Set what you want to spend at most in a category each month, or nothing',
  tags,
  request: { body: body(budgetRequest) },
  responses: done,
})

const getRecurring = defineRoute({
  method: 'get',
  path: '/analytics/recurring',
  summary: 'What you pay again and again, the next first',
  tags,
  responses: answers('As the bank found them among your payments', recurringPayments),
})

const getForecast = defineRoute({
  method: 'get',
  path: '/analytics/forecast',
  summary: 'What your current account is expected to hold at the end of the month',
  description:
    'From income that comes again, payments that are known of, recurring ones, and what you spend day by day. The error is measured on your past months.',
  tags,
  responses: answers('As of now', cashFlowForecast),
})

const asset = 'USD'

export const insightRoutes = router({ live: true })
  .openapi(getAnalytics, async (c) =>
    c.json(await readAnalytics(c.get('deps'), c.get('customer').id, c.req.valid('query').month), 200),
  )
  .openapi(getPayments, async (c) =>
    c.json(await categoryPayments(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200),
  )
  .openapi(putCategory, async (c) => {
    await recategorise(c.get('deps'), c.get('customer').id, c.req.valid('param').id, c.req.valid('json'))
    return c.body(null, 204)
  })
  .openapi(putBudget, async (c) => {
    await setBudget(c.get('deps'), c.get('customer').id, c.req.valid('json'))
    return c.body(null, 204)
  })
  .openapi(getRecurring, async (c) => {
    const found = await recurringAhead(c.get('deps'), c.get('customer').id)
    const payments = found.map(({ previousAmountMinor = null, grid: _grid, paid: _paid, ...one }) => ({
      ...one,
      previousAmountMinor,
    }))
    return c.json({ asset, payments }, 200)
  })
  .openapi(getForecast, async (c) => c.json({ asset, ...(await forecastMonth(c.get('deps'), c.get('customer'))) }, 200))
