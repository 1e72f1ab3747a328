import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { PRICE_RANGES, type PriceRange } from '#contract/markets.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'

/** Returns the chosen time range of a chart, the props of the choice, and the format of the chart's times. */
export function useRanges() {
  const { t } = useLingui()
  const [range, setRange] = useState<PriceRange>('month')
  const labels: Record<PriceRange, string> = {
    day: t({ message: '1D', comment: 'The range of a chart: one day. At most three letters' }),
    week: t({ message: '1W', comment: 'The range of a chart: one week. At most three letters' }),
    month: t({ message: '1M', comment: 'The range of a chart: one month. At most three letters' }),
    year: t({ message: '1Y', comment: 'The range of a chart: one year. At most three letters' }),
    all: t({
      message: 'All',
      context: 'time that a chart shows',
      comment: 'The longest range of a chart. Use a short word',
    }),
  }
  return {
    range,
    formatAt: (at: string) => (range === 'day' || range === 'week' ? dateAndTime(at) : shortDay(at, null)),
    ranges: {
      label: t`Time span`,
      options: PRICE_RANGES.map((value) => ({ value, label: labels[value] })),
      value: range,
      onChange: (value: string) => setRange(PRICE_RANGES.find((option) => option === value) ?? 'month'),
    },
  }
}
