import { queryOptions } from '@tanstack/react-query'
import { isCoin, type Priced, type PriceRange } from '#contract/markets.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

/** The interval of requests for a coin's prices while they are visible, in milliseconds. A hidden page sends no requests. */
const CHART_MS = 60_000

/** Loads the prices of a chart. A fund's prices change once a day. */
export function pricesQuery(asset: Priced, range: PriceRange) {
  return queryOptions({
    queryKey: ['markets', 'prices', asset, range],
    meta: OFFLINE_DATED,
    queryFn: ({ signal }) =>
      unwrap(api.markets[':asset'].prices.$get({ param: { asset }, query: { range } }, withSignal(signal))),
    ...(isCoin(asset) && { refetchInterval: CHART_MS }),
  })
}
