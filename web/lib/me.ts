import { queryOptions } from '@tanstack/react-query'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { KEPT_UNDATED } from '#web/lib/kept.ts'

/** The signed-in customer, and the mode the bank runs in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  meta: KEPT_UNDATED,
  queryFn: ({ signal }) => unwrap(api.me.$get({}, withSignal(signal))),
  staleTime: 5 * 60_000,
})
