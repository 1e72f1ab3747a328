import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SpendingCategory } from '#contract/categories.ts'
import { Breakdown } from '#web/insights/breakdown.tsx'
import { Forecast } from '#web/insights/forecast.tsx'
import { Insight } from '#web/insights/insight.tsx'
import { MonthCard } from '#web/insights/month-card.tsx'
import { OtherBanks } from '#web/insights/other-banks.tsx'
import { analyticsQuery } from '#web/insights/queries.ts'
import { Recurring } from '#web/insights/recurring.tsx'
import { Trend } from '#web/insights/trend.tsx'
import { messageOf } from '#web/lib/api.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheets, withSheet } from '#web/ui/sheet.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

const loadSheet = withSheet(() => import('#web/insights/category-sheet.tsx'))

/** What was spent, on what, and what is coming. */
export function AnalyticsScreen() {
  const { t } = useLingui()
  const [month, setMonth] = useState<string | null>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(analyticsQuery(month))
  const { sheet, open, show, close } = useSheets<SpendingCategory>()
  const loaded = useOpened(loadSheet, open, close)
  return (
    <Screen title={t`Analytics`} back={paths.dashboard}>
      {error && !data ? (
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {!data && <Loading label={t`Loading your analytics`} />}
          <Columns>
            <>
              <MonthCard analytics={data} isOld={isPlaceholderData} onMonth={setMonth} />
              <Insight analytics={data} />
              <Breakdown analytics={data} onOpen={show} />
              {data && <OtherBanks month={data.month} />}
            </>
            <>
              <Trend analytics={data} />
              <Forecast />
              <Recurring />
            </>
          </Columns>
          {sheet && data && loaded && (
            <loaded.CategorySheet
              key={`${sheet}${data.month}`}
              category={sheet}
              analytics={data}
              open={open}
              onOpenChange={(next) => !next && close()}
            />
          )}
        </>
      )}
    </Screen>
  )
}
