import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BudgetRequest, RecategoriseRequest } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

/** What was spent in a month, YYYY-MM; this month for null. */
export function analyticsQuery(month: string | null) {
  return queryOptions({
    queryKey: ['analytics', 'month', month],
    meta: { ...KEPT, ...TOUCHED },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.analytics.$get({ query: month === null ? {} : { month } }, withSignal(signal))),
  })
}

export const recurringQuery = queryOptions({
  queryKey: ['analytics', 'recurring'],
  meta: { ...KEPT, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.analytics.recurring.$get({}, withSignal(signal))),
})

export const forecastQuery = queryOptions({
  queryKey: ['analytics', 'forecast'],
  meta: { ...KEPT, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.analytics.forecast.$get({}, withSignal(signal))),
})

/** What a month's spending in a category is made of. */
export function paymentsQuery(month: string, category: SpendingCategory) {
  return infiniteQueryOptions({
    queryKey: ['analytics', 'payments', month, category],
    meta: TOUCHED,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.analytics.payments.$get(
          { query: { month, category, ...(pageParam !== null && { cursor: pageParam }) } },
          withSignal(signal),
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export const recategorise = (id: string, content: RecategoriseRequest) =>
  unwrap(api.analytics.payments[':id'].category.$put({ param: { id }, json: content }))

export const setBudget = (content: BudgetRequest) => unwrap(api.analytics.budgets.$put({ json: content }))
