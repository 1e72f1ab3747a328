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
import { upload } from '#web/lib/upload.ts'
import { KEPT, KEPT_UNDATED } from '#web/lib/kept.ts'
import { dayOf } from '#web/i18n/dates.ts'
import { useNow } from '#web/lib/now.ts'

const TOUCHED = { touchedBy: ['balance'] } as const

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  meta: KEPT,
  queryFn: ({ signal }) => unwrap(api.dashboard.$get({}, withSignal(signal))),
})

/** Business time now: what the bank last said, moved on by the time since. Null until the bank has said it. */
export function useBusinessNow(): Date | null {
  const { data, dataUpdatedAt } = useQuery(dashboardQuery)
  const minuteMs = useNow()
  return data ? new Date(Date.parse(data.now) + Math.max(0, minuteMs - dataUpdatedAt)) : null
}

/** The day of business time, YYYY-MM-DD. Null until the bank has said it. */
export function useBusinessDay(): string | null {
  const now = useBusinessNow()
  return now && dayOf(now)
}

/** Filters as query parameters; what is absent is left out. */
export function filterParams(filters: object): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params
}

/** One page of the list. What is no string becomes one on its way into the query. */
function page(query: TransactionFilters & { cursor?: string }, signal: AbortSignal) {
  return unwrap(api.transactions.$get({ query: Object.fromEntries(filterParams(query)) }, withSignal(signal)))
}

export function transactionsQuery(filters: TransactionFilters) {
  return infiniteQueryOptions({
    queryKey: ['transactions', 'list', filters],
    meta: { ...KEPT, ...TOUCHED },
    queryFn: ({ pageParam, signal }) => page({ ...filters, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** How many transactions the filters let through. */
export function countQuery(filters: TransactionFilters) {
  return queryOptions({
    queryKey: ['transactions', 'count', filters],
    meta: TOUCHED,
    queryFn: ({ signal }) =>
      unwrap(api.transactions.count.$get({ query: Object.fromEntries(filterParams(filters)) }, withSignal(signal))),
    // What was last counted stands until the next count is there.
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = queryOptions({
  queryKey: ['transactions', 'summary'],
  meta: { ...KEPT, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.transactions.summary.$get({}, withSignal(signal))),
})

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'detail', id],
    meta: { ...KEPT, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api.transactions[':id'].$get({ param: { id } }, withSignal(signal))),
  })
}

/** A transaction as a list that was loaded has it; null where none has. */
export function useListedTransaction(id: string): Transaction | null {
  const lists = useQueryClient().getQueriesData<InfiniteData<z.infer<typeof transactionPage>>>({
    queryKey: ['transactions', 'list'],
  })
  const listed = lists.flatMap(([, list]) => list?.pages.flatMap(({ transactions }) => transactions) ?? [])
  return listed.find((transaction) => transaction.id === id) ?? null
}

/** Keeps a note to oneself with a transaction; none for ''. */
export const writePrivateNote = (id: string, note: string) =>
  unwrap(api.transactions[':id'].note.$put({ param: { id }, json: { note } }))

/** Where the picture of a transaction's receipt is. */
const photoPath = (id: string) => `/api/v1/transactions/${encodeURIComponent(id)}/photo`

export const uploadPhoto = (id: string, file: Blob, sending: Parameters<typeof upload>[2]) =>
  upload(photoPath(id), file, sending)

export const removePhoto = (id: string) => unwrap(api.transactions[':id'].photo.$delete({ param: { id } }))

/** The picture of a receipt, which is asked for once: another one has another `photoId`. */
export const photoQuery = (id: string, photoId: string) =>
  queryOptions({
    queryKey: ['transaction-photo', id, photoId],
    queryFn: ({ signal }) => fetchFile(photoPath(id), signal),
    staleTime: 'static',
  })

/** The ways to add money that this bank has. */
export const topUpMethodsQuery = queryOptions({
  queryKey: ['top-up-methods'],
  meta: KEPT_UNDATED,
  queryFn: ({ signal }) => unwrap(api['top-ups'].methods.$get({}, withSignal(signal))),
})

export function addMoney(content: z.infer<typeof topUpRequest>, key: string) {
  return unwrap(api['top-ups'].$post({ json: content }, withIdempotencyKey(key)))
}

/** Takes unclaimed money back. */
export function cancelTransfer(operationId: string, key: string) {
  return unwrap(api.transfers[':operationId'].cancel.$post({ param: { operationId } }, withIdempotencyKey(key)))
}

/** Where the receipt of a transaction is, as a PDF. */
export const receiptUrl = (id: string) => `/api/v1/transactions/${encodeURIComponent(id)}/receipt`
