import { queryOptions } from '@tanstack/react-query'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { OFFLINE_UNDATED } from '#web/lib/offline-cache.ts'

/** The signed-in customer, and the mode of the bank. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  meta: OFFLINE_UNDATED,
  queryFn: ({ signal }) => unwrap(api.me.$get({}, withSignal(signal))),
  staleTime: 5 * 60_000,
})
