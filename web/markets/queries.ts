import { queryOptions } from '@tanstack/react-query'
import { isCoin, type Priced, type PriceRange } from '#contract/markets.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

/** How often a coin's prices are asked for while they are looked at, in milliseconds. A hidden page asks nothing. */
const CHART_MS = 60_000

/** The prices for a chart. A fund's change once a day. */
export function pricesQuery(asset: Priced, range: PriceRange) {
  return queryOptions({
    queryKey: ['markets', 'prices', asset, range],
    meta: KEPT,
    queryFn: ({ signal }) =>
      unwrap(api.markets[':asset'].prices.$get({ param: { asset }, query: { range } }, withSignal(signal))),
    ...(isCoin(asset) && { refetchInterval: CHART_MS }),
  })
}
