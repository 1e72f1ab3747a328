import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Holding } from '#contract/crypto.ts'
import type { PriceHistory } from '#contract/markets-api.ts'
import { Change } from '#web/crypto/shared/change.tsx'
import { useRanges } from '#web/crypto/shared/ranges.ts'
import { priceText } from '#web/crypto/shared/words.ts'
import { pricesQuery } from '#web/markets/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { Failure } from '#web/ui/failure.tsx'

const pointsOf = ({ prices }: PriceHistory) => prices.map(({ at, priceMicros }) => ({ at, value: priceMicros }))

/** What a coin costs, and how that went over a span of time. */
export function PriceChart({ holding: { asset, priceMicros, changeBps } }: { holding: Holding }) {
  const { t } = useLingui()
  const { range, ...time } = useRanges()
  const query = useQuery({ ...pricesQuery(asset, range), select: pointsOf })
  const name = COIN_NAMES[asset]
  // The chart is asked for less often than the overview; what stands above its end is the same.
  const last = query.data?.at(-1)?.value ?? priceMicros
  const change = changeBps !== null && <Change bps={changeBps} />
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="tabular text-2xl font-semibold tracking-tight">{last === null ? '–' : priceText(last)}</p>
        {change && (
          <p className="text-sm text-ink-soft">
            <Trans comment="{change} is an amount and a percentage">{change} in 24 hours</Trans>
          </p>
        )}
      </div>
      {query.error && !query.data ? (
        <Failure {...query} />
      ) : (
        <Chart
          {...time}
          label={t`Price of ${name}`}
          points={query.data}
          names={{ at: t`Time`, value: t({ message: 'Price', comment: 'of one coin' }) }}
          formatValue={priceText}
          empty={t`There are no prices for this time yet`}
        />
      )}
    </div>
  )
}
