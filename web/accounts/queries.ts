import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { z } from 'zod'
import type { Transaction, TransactionFilters, topUpRequest, transactionPage } from '#contract/accounts.ts'
import { unwrap, api, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { fetchFile } from '#web/lib/fetch-file.ts'
import { uploadFile } from '#web/lib/upload.ts'
import { OFFLINE_DATED, OFFLINE_UNDATED } from '#web/lib/offline-cache.ts'
import { bankDayOf } from '#web/i18n/dates.ts'
import { useNow } from '#web/lib/now.ts'

const TOUCHED = { touchedBy: ['balance'] } as const

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  meta: OFFLINE_DATED,
  queryFn: ({ signal }) => unwrap(api.dashboard.$get({}, withSignal(signal))),
})

/**
 * Returns the current business time: the bank's last reported time plus the time since. Returns null before the first report.
 */
export function useBusinessNow(): Date | null {
  const { data, dataUpdatedAt } = useQuery(dashboardQuery)
  const minuteMs = useNow()
  return data ? new Date(Date.parse(data.now) + Math.max(0, minuteMs - dataUpdatedAt)) : null
}

/** Returns the current business day, YYYY-MM-DD. Returns null before the bank has reported its time. */
export function useBusinessDay(): string | null {
  const now = useBusinessNow()
  return now && bankDayOf(now)
}

/** Returns filters as query parameters, without the undefined ones. */
export function filterParams(filters: object): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params
}

/** Loads one page of the list. The query string turns all values into strings. */
function page(query: TransactionFilters & { cursor?: string }, signal: AbortSignal) {
  return unwrap(api.transactions.$get({ query: Object.fromEntries(filterParams(query)) }, withSignal(signal)))
}

export function transactionsQuery(filters: TransactionFilters) {
  return infiniteQueryOptions({
    queryKey: ['transactions', 'list', filters],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ pageParam, signal }) => page({ ...filters, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Counts the transactions that match the filters. */
export function countQuery(filters: TransactionFilters) {
  return queryOptions({
    queryKey: ['transactions', 'count', filters],
    meta: TOUCHED,
    queryFn: ({ signal }) =>
      unwrap(api.transactions.count.$get({ query: Object.fromEntries(filterParams(filters)) }, withSignal(signal))),
    // The last count stays visible until the next one arrives.
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = queryOptions({
  queryKey: ['transactions', 'summary'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.transactions.summary.$get({}, withSignal(signal))),
})

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'detail', id],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.transactions[':id'].$get({ param: { id } }, withSignal(signal))),
  })
}

/** Returns a transaction from the lists in the cache, or null if no list contains it. */
export function useListedTransaction(id: string): Transaction | null {
  const lists = useQueryClient().getQueriesData<InfiniteData<z.infer<typeof transactionPage>>>({
    queryKey: ['transactions', 'list'],
  })
  const listedTransactions = lists.flatMap(([, list]) => list?.pages.flatMap(({ transactions }) => transactions) ?? [])
  return listedTransactions.find((transaction) => transaction.id === id) ?? null
}

/** Saves the customer's private note on a transaction. An empty text removes the note. */
export const writePrivateNote = (id: string, note: string) =>
  unwrap(api.transactions[':id'].note.$put({ param: { id }, json: { note } }))

/** Returns the address of a receipt's photo. */
const photoPath = (id: string) => `/api/v1/transactions/${encodeURIComponent(id)}/photo`

export const uploadPhoto = (id: string, file: Blob, sending: Parameters<typeof uploadFile>[2]) =>
  uploadFile(photoPath(id), file, sending)

export const removePhoto = (id: string) => unwrap(api.transactions[':id'].photo.$delete({ param: { id } }))

/** Loads a receipt's photo once. A new photo has a new `photoId`. */
export const photoQuery = (id: string, photoId: string) =>
  queryOptions({
    queryKey: ['transaction-photo', id, photoId],
    queryFn: ({ signal }) => fetchFile(photoPath(id), signal),
    staleTime: 'static',
  })

/** The methods to add money that this bank offers. */
export const topUpMethodsQuery = queryOptions({
  queryKey: ['top-up-methods'],
  meta: OFFLINE_UNDATED,
  queryFn: ({ signal }) => unwrap(api['top-ups'].methods.$get({}, withSignal(signal))),
})

export function addMoney(content: z.infer<typeof topUpRequest>, key: string) {
  return unwrap(api['top-ups'].$post({ json: content }, withIdempotencyKey(key)))
}

/** Cancels a transfer that was not claimed, and returns the money to the customer. */
export function cancelTransfer(operationId: string, key: string) {
  return unwrap(api.transfers[':operationId'].cancel.$post({ param: { operationId } }, withIdempotencyKey(key)))
}

/** Returns the address of a transaction's receipt, a PDF. */
export const receiptUrl = (id: string) => `/api/v1/transactions/${encodeURIComponent(id)}/receipt`
