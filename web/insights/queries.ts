import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BudgetRequest, RecategorizeRequest } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

/** Loads a month's spending. `month` is YYYY-MM, or null for the current month. */
export function analyticsQuery(month: string | null) {
  return queryOptions({
    queryKey: ['analytics', 'month', month],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.analytics.$get({ query: month === null ? {} : { month } }, withSignal(signal))),
  })
}

export const recurringQuery = queryOptions({
  queryKey: ['analytics', 'recurring'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.analytics.recurring.$get({}, withSignal(signal))),
})

export const forecastQuery = queryOptions({
  queryKey: ['analytics', 'forecast'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.analytics.forecast.$get({}, withSignal(signal))),
})

/** Loads a month's payments in a category. */
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

export const recategorise = (id: string, content: RecategorizeRequest) =>
  unwrap(api.analytics.payments[':id'].category.$put({ param: { id }, json: content }))

export const setBudget = (content: BudgetRequest) => unwrap(api.analytics.budgets.$put({ json: content }))
