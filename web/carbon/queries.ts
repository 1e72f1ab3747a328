import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OffsetRequest } from '#contract/carbon.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

/** A month's footprint, YYYY-MM; this month's for null. */
export function footprintQuery(month: string | null) {
  return queryOptions({
    queryKey: ['carbon', 'footprint', month],
    meta: { ...KEPT, ...TOUCHED },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.carbon.$get({ query: month === null ? {} : { month } }, withSignal(signal))),
  })
}

/** How many certificates are shown at a time. */
const PAGE = '5'

export const certificatesQuery = infiniteQueryOptions({
  queryKey: ['carbon', 'certificates'],
  meta: { ...KEPT, ...TOUCHED },
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

/** Where a certificate is, as a PDF. */
export const certificateUrl = (id: string) => `/api/v1/carbon/certificates/${encodeURIComponent(id)}/pdf`
