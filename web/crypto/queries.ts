import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OrderRequest, QuoteRequest, RecurringRequest } from '#contract/crypto.ts'
import type { Coin, PriceRange } from '#contract/markets.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { expectNoContent } from '#web/lib/expect-no-content.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'notification', 'change'] } as const

/** The intervals of requests for prices and for charts while they are visible, in milliseconds. A hidden page sends none. */
const PRICES_MS = 10_000
const CHART_MS = 60_000

export const cryptoQuery = queryOptions({
  queryKey: ['crypto', 'overview'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.crypto.$get({}, withSignal(signal))),
  refetchInterval: PRICES_MS,
})

/** Loads the value of all coins over time. */
export const valuesQuery = (range: PriceRange) =>
  queryOptions({
    queryKey: ['crypto', 'values', range],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.crypto.history.$get({ query: { range } }, withSignal(signal))),
    refetchInterval: CHART_MS,
  })

/** Loads a customer's trades of a coin, newest first. */
export const tradesQuery = (asset: Coin) =>
  infiniteQueryOptions({
    queryKey: ['crypto', 'trades', asset],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
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

export const placeLimitOrder = (json: OrderRequest, key: string) =>
  unwrap(api.crypto.orders.$post({ json }, withIdempotencyKey(key)))

export const cancelLimitOrder = (id: string) =>
  expectNoContent(api.crypto.orders[':id'].cancel.$post({ param: { id } }))

export const startRecurring = (json: RecurringRequest, key: string) =>
  unwrap(api.crypto.recurring.$post({ json }, withIdempotencyKey(key)))

export const stopRecurring = (id: string) => expectNoContent(api.crypto.recurring[':id'].$delete({ param: { id } }))

export const taxLotsUrl = (year: number) => `/api/v1/crypto/tax-lots.csv?year=${year}`
