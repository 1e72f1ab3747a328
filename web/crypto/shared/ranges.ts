import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { PRICE_RANGES, type PriceRange } from '#contract/markets.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'

/** The spans of time of a chart, and how it writes its moments. */
export function useRanges() {
  const { t } = useLingui()
  const [range, setRange] = useState<PriceRange>('month')
  const labels: Record<PriceRange, string> = {
    day: t({ message: '1D', comment: 'A chart of one day; at most three letters' }),
    week: t({ message: '1W', comment: 'A chart of one week; at most three letters' }),
    month: t({ message: '1M', comment: 'A chart of one month; at most three letters' }),
    year: t({ message: '1Y', comment: 'A chart of one year; at most three letters' }),
    all: t({ message: 'All', context: 'time that a chart shows', comment: 'Short' }),
  }
  return {
    range,
    formatAt: (at: string) => (range === 'day' || range === 'week' ? dateAndTime(at) : shortDay(at, null)),
    ranges: {
      label: t`Time span`,
      options: PRICE_RANGES.map((value) => ({ value, label: labels[value] })),
      value: range,
      onChange: (value: string) => setRange(PRICE_RANGES.find((one) => one === value) ?? 'month'),
    },
  }
}
