import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  dashboard,
  type Transaction,
  type TransactionFilters,
  topUpRequest,
  topUpResponse,
  transactionDetail,
  transactionPage,
  transactionSummary,
} from '#contract/accounts.ts'
import { get, post } from '#web/lib/client.ts'
import { dayOf, monthStart } from '#web/lib/dates.ts'
import { useMinute } from '#web/lib/minute.ts'

/** One page is enough for a month of one category; a customer with more gets a tip without figures. */
const MONTH_LIMIT = 100

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => get('/dashboard', dashboard, signal),
})

/** Business time now: what the bank last said, moved on by the time since. Null until the bank has said it. */
export function useBusinessNow(): Date | null {
  const { data, dataUpdatedAt } = useQuery(dashboardQuery)
  const minuteMs = useMinute()
  return data ? new Date(Date.parse(data.now) + Math.max(0, minuteMs - dataUpdatedAt)) : null
}

/** Filters as query parameters; what is absent is left out. */
export function filterParams(filters: TransactionFilters): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params
}

export function transactionsQuery(filters: TransactionFilters) {
  return infiniteQueryOptions({
    queryKey: ['transactions', 'list', filters],
    queryFn: ({ pageParam, signal }) => {
      const params = filterParams(filters)
      if (pageParam !== null) params.set('cursor', pageParam)
      return get(`/transactions?${params}`, transactionPage, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}

export const summaryQuery = queryOptions({
  queryKey: ['transactions', 'summary'],
  queryFn: ({ signal }) => get('/transactions/summary', transactionSummary, signal),
})

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'detail', id],
    queryFn: ({ signal }) => get(`/transactions/${encodeURIComponent(id)}`, transactionDetail, signal),
  })
}

/** What this month's spending in a category came to before and with `transaction`; null until it is known. */
export function useMonthInCategory(
  transaction: Transaction,
  on: boolean,
): { spentMinor: number; count: number } | null {
  const day = new Date(transaction.bookedAt)
  const filters = {
    category: transaction.category,
    status: 'completed',
    from: monthStart(day),
    to: dayOf(day),
  } as const
  const { data } = useQuery({
    queryKey: ['transactions', 'month', filters],
    queryFn: ({ signal }) =>
      get(`/transactions?${filterParams(filters)}&limit=${MONTH_LIMIT}`, transactionPage, signal),
    enabled: on,
  })
  if (!data || data.nextCursor !== null) return null
  const spent = data.transactions.filter((other) => other.amountMinor < 0 && other.bookedAt <= transaction.bookedAt)
  return { spentMinor: spent.reduce((sum, other) => sum - other.amountMinor, 0), count: spent.length }
}

export function addMoney(content: z.input<typeof topUpRequest>, key: string) {
  return post('/top-ups', content, key, topUpResponse)
}

/** Where the receipt of a transaction is, as a PDF. */
export const receiptUrl = (id: string) => `/api/v1/transactions/${encodeURIComponent(id)}/receipt`
