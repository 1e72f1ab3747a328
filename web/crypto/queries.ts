import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OrderRequest, QuoteRequest, RecurringRequest } from '#contract/crypto.ts'
import type { Coin, PriceRange } from '#contract/markets.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { done } from '#web/lib/done.ts'
import { KEPT } from '#web/lib/kept.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

/** How often prices are asked for while they are looked at, in milliseconds. A hidden page asks nothing. */
const PRICES_MS = 10_000
const CHART_MS = 60_000

export const cryptoQuery = queryOptions({
  queryKey: ['crypto', 'overview'],
  meta: { ...KEPT, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.crypto.$get({}, withSignal(signal))),
  refetchInterval: PRICES_MS,
})

/** What all coins were worth. */
export const valuesQuery = (range: PriceRange) =>
  queryOptions({
    queryKey: ['crypto', 'values', range],
    meta: { ...KEPT, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.crypto.history.$get({ query: { range } }, withSignal(signal))),
    refetchInterval: CHART_MS,
  })

/** What a customer bought and sold of a coin, newest first. */
export const tradesQuery = (asset: Coin) =>
  infiniteQueryOptions({
    queryKey: ['crypto', 'trades', asset],
    meta: { ...KEPT, ...TOUCHED },
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.crypto.trades.$get(
          { query: { asset, limit: '10', ...(pageParam !== null && { cursor: pageParam }) } },
          withSignal(signal),
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const getQuote = (json: QuoteRequest) => unwrap(api.crypto.quotes.$post({ json }))

export const tradeQuote = (quoteId: string, key: string) =>
  unwrap(api.crypto.trades.$post({ json: { quoteId } }, withIdempotencyKey(key)))

export const placeOrder = (json: OrderRequest, key: string) =>
  unwrap(api.crypto.orders.$post({ json }, withIdempotencyKey(key)))

export const cancelOrder = (id: string) => done(api.crypto.orders[':id'].cancel.$post({ param: { id } }))

export const startRecurring = (json: RecurringRequest, key: string) =>
  unwrap(api.crypto.recurring.$post({ json }, withIdempotencyKey(key)))

export const stopRecurring = (id: string) => done(api.crypto.recurring[':id'].$delete({ param: { id } }))

export const taxLotsUrl = (year: number) => `/api/v1/crypto/tax-lots.csv?year=${year}`
