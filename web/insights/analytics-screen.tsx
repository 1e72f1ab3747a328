import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Breakdown } from '#web/insights/breakdown.tsx'
import { ForecastCard } from '#web/insights/forecast.tsx'
import { Insight } from '#web/insights/insight.tsx'
import { MonthCard } from '#web/insights/month-card.tsx'
import { OtherBanks } from '#web/insights/other-banks.tsx'
import { analyticsQuery } from '#web/insights/queries.ts'
import { RecurringSection } from '#web/insights/recurring.tsx'
import { Trend } from '#web/insights/trend.tsx'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'

const loadSheet = async () => (await import('#web/insights/category-sheet.tsx')).CategorySheet

/** Shows a month's spending, its categories and the forecast. */
export function AnalyticsScreen() {
  const { t } = useLingui()
  const [month, setMonth] = useState<string | null>(null)
  const query = useQuery(analyticsQuery(month))
  const { data, isPlaceholderData } = query
  const sheets = useSheets(loadSheet, true)
  return (
    <QueryScreen query={query} title={t`Analytics`} back={paths.dashboard} loading={t`Loading your analytics`}>
      <Columns>
        <>
          <MonthCard analytics={data} isOld={isPlaceholderData} onMonth={setMonth} />
          <Insight analytics={data} />
          <Breakdown analytics={data} onOpen={sheets.show} />
          {data && <OtherBanks month={data.month} />}
          <ZoneNote className="px-1" />
        </>
        <>
          <Trend analytics={data} />
          <ForecastCard />
          <RecurringSection />
        </>
      </Columns>
      {sheets.render(data)}
    </QueryScreen>
  )
}
