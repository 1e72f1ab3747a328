import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CryptoOverview, OrderRequest, Quote, QuoteRequest, RecurringRequest, Trade } from '#contract/crypto.ts'
import type { Coin } from '#contract/markets.ts'
import { apiFetch, refusalOf } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

/** How often prices are asked for while they are looked at, in milliseconds. */
const PRICES_MS = 10_000

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await apiFetch(`/api/v1/crypto${path}`, init)
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}
const send = <T>(path: string, json: unknown, key?: string) =>
  call<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })

export const cryptoQuery = queryOptions({
  queryKey: ['crypto', 'overview'],
  meta: KEPT,
  queryFn: ({ signal }) => call<CryptoOverview>('', { signal }),
  refetchInterval: PRICES_MS,
})

export const tradesQuery = (coin: Coin) =>
  infiniteQueryOptions({
    queryKey: ['crypto', 'trades', coin],
    meta: KEPT,
    queryFn: ({ pageParam, signal }) =>
      call<{ trades: Trade[]; nextCursor: string | null }>(
        `/trades?asset=${coin}${pageParam === null ? '' : `&cursor=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const getQuote = (json: QuoteRequest) => send<Quote>('/quotes', json)

export const tradeQuote = (quoteId: string, key: string) => send<Trade>('/trades', { quoteId }, key)

export const placeOrder = (json: OrderRequest, key: string) => send<unknown>('/orders', json, key)

export const cancelOrder = (id: string) => send<unknown>(`/orders/${id}/cancel`, undefined)

export const startRecurring = (json: RecurringRequest, key: string) => send<unknown>('/recurring', json, key)

export const stopRecurring = (id: string) => call<unknown>(`/recurring/${id}`, { method: 'DELETE' })

export const taxLotsUrl = (year: number) => `/api/v1/crypto/tax-lots.csv?year=${year}`
