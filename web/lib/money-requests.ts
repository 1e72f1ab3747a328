import { queryOptions } from '@tanstack/react-query'
import type { MoneyRequest } from '#contract/requests.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'
import { paths } from '#web/lib/paths.ts'

/** What the customer is asked for, and what they ask others for. */
export const requestsQuery = queryOptions({
  queryKey: ['requests'],
  meta: { ...KEPT, touchedBy: ['request'] },
  queryFn: ({ signal }) => unwrap(api['money-requests'].$get({}, withSignal(signal))),
})

/** The names in the query string under which an address says which request it shows, or which link was opened. */
export const REQUEST_ID = 'id'
export const REQUEST_LINK = 'link'

/** Where a request is shown. */
export const requestPath = (id: string): string => `${paths.request}?${REQUEST_ID}=${id}`

/** What is left to pay, minor units. */
export const leftOf = ({ amountMinor, paidMinor }: Pick<MoneyRequest, 'amountMinor' | 'paidMinor'>): number =>
  amountMinor - paidMinor
