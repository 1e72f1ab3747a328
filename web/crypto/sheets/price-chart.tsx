import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { type Coin, PRICE_RANGES, type PriceRange } from '#contract/markets.ts'
import type { PriceHistory } from '#contract/markets-api.ts'
import { priceText } from '#web/crypto/shared/words.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'
import { messageOf } from '#web/lib/api.ts'
import { pricesQuery } from '#web/markets/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { Failure } from '#web/ui/failure.tsx'

const pointsOf = ({ prices }: PriceHistory) => prices.map(({ at, priceMicros }) => ({ at, value: priceMicros }))

/** How the price of a coin went, over a span of time that is chosen. */
export function PriceChart({ asset }: { asset: Coin }) {
  const { t } = useLingui()
  const [range, setRange] = useState<PriceRange>('month')
  const query = useQuery({ ...pricesQuery(asset, range), select: pointsOf })
  const name = COIN_NAMES[asset]
  const labels: Record<PriceRange, string> = {
    day: t({ message: '1D', comment: 'A chart of one day; at most three letters' }),
    week: t({ message: '1W', comment: 'A chart of one week; at most three letters' }),
    month: t({ message: '1M', comment: 'A chart of one month; at most three letters' }),
    year: t({ message: '1Y', comment: 'A chart of one year; at most three letters' }),
    all: t({ message: 'All', comment: 'A chart of all there is' }),
  }
  if (query.error && !query.data)
    return <Failure message={messageOf(query.error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
  return (
    <Chart
      label={t`Price of ${name}`}
      points={query.data}
      names={{ at: t`Time`, value: t({ message: 'Price', comment: 'of one coin' }) }}
      formatAt={(at) => (range === 'day' || range === 'week' ? dateAndTime(at) : shortDay(at, null))}
      formatValue={priceText}
      empty={t`There are no prices for this time yet`}
      ranges={{
        label: t`Time span`,
        options: PRICE_RANGES.map((value) => ({ value, label: labels[value] })),
        value: range,
        onChange: (value) => setRange(PRICE_RANGES.find((one) => one === value) ?? 'month'),
      }}
    />
  )
}
