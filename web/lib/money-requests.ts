import { queryOptions } from '@tanstack/react-query'
import type { MoneyRequest } from '#contract/requests.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'
import { paths } from '#web/lib/paths.ts'

/** The payment requests that the customer received and sent. */
export const requestsQuery = queryOptions({
  queryKey: ['requests'],
  meta: { ...OFFLINE_DATED, touchedBy: ['request'] },
  queryFn: ({ signal }) => unwrap(api['money-requests'].$get({}, withSignal(signal))),
})

/** The query parameters with the id of the visible request, or with the link that was opened. */
export const REQUEST_ID = 'id'
export const REQUEST_LINK = 'link'

/** Returns the path that shows a request. */
export const requestPath = (id: string): string => `${paths.request}?${REQUEST_ID}=${id}`

/** Returns the unpaid amount, minor units. */
export const outstandingMinor = ({ amountMinor, paidMinor }: Pick<MoneyRequest, 'amountMinor' | 'paidMinor'>): number =>
  amountMinor - paidMinor
