import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OffsetRequest } from '#contract/carbon.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

/** Loads a month's footprint, YYYY-MM. `null` means the current month. */
export function footprintQuery(month: string | null) {
  return queryOptions({
    queryKey: ['carbon', 'footprint', month],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.carbon.$get({ query: month === null ? {} : { month } }, withSignal(signal))),
  })
}

/** The number of certificates per page. */
const PAGE = '5'

export const certificatesQuery = infiniteQueryOptions({
  queryKey: ['carbon', 'certificates'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.carbon.certificates.$get(
        { query: { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } },
        withSignal(signal),
      ),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

export const offsetFootprint = (content: OffsetRequest, key: string) =>
  unwrap(api.carbon.offsets.$post({ json: content }, withIdempotencyKey(key)))

/** Returns the address of a certificate, a PDF. */
export const certificateUrl = (id: string) => `/api/v1/carbon/certificates/${encodeURIComponent(id)}/pdf`
