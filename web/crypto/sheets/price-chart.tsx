import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Holding } from '#contract/crypto.ts'
import type { PriceHistory } from '#contract/markets-api.ts'
import { PriceChange } from '#web/crypto/shared/price-change.tsx'
import { useRanges } from '#web/crypto/shared/ranges.ts'
import { coinPriceText } from '#web/crypto/shared/words.ts'
import { pricesQuery } from '#web/markets/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'

const pointsOf = ({ prices }: PriceHistory) => prices.map(({ at, priceMicros }) => ({ at, value: priceMicros }))

/** Shows a coin's price and its history over a time range. */
export function PriceChart({ holding: { asset, priceMicros, changeBps } }: { holding: Holding }) {
  const { t } = useLingui()
  const { range, ...time } = useRanges()
  const query = useQuery({ ...pricesQuery(asset, range), select: pointsOf })
  const name = COIN_NAMES[asset]
  // The chart is refreshed less often than the overview. The price above it equals the chart's last point.
  const last = query.data?.at(-1)?.value ?? priceMicros
  const change = changeBps !== null && <PriceChange bps={changeBps} />
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="tabular text-2xl font-semibold tracking-tight">{last === null ? '–' : coinPriceText(last)}</p>
        {change && (
          <p className="text-sm text-ink-soft">
            <Trans comment="{change} is an amount and a percentage">{change} in 24 hours</Trans>
          </p>
        )}
      </div>
      {query.error && !query.data ? (
        <LoadFailure {...query} />
      ) : (
        <Chart
          {...time}
          label={t`Price of ${name}`}
          points={query.data}
          names={{ at: t`Time`, value: t({ message: 'Price', comment: 'The price of one coin' }) }}
          formatValue={coinPriceText}
          empty={t`There are no prices for this period yet`}
        />
      )}
    </div>
  )
}
