import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Categories } from '#web/carbon/categories.tsx'
import { Certificates } from '#web/carbon/certificates.tsx'
import { Estimate } from '#web/carbon/estimate.tsx'
import { OffsetCard } from '#web/carbon/offset-card.tsx'
import { footprintQuery } from '#web/carbon/queries.ts'
import { TotalCard } from '#web/carbon/total-card.tsx'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'

/** Shows a month's emissions, tips to reduce them and the way to offset them. */
export function CarbonScreen() {
  const { t } = useLingui()
  const [month, setMonth] = useState<string | null>(null)
  const query = useQuery(footprintQuery(month))
  const { data, isPlaceholderData } = query
  // The explanation comes last. With two columns it fills the shorter one.
  const isWide = useBreakpoint() === 'panes'
  const estimate = <Estimate footprint={data} />
  return (
    <QueryScreen query={query} title={t`Carbon Footprint`} back={paths.dashboard} loading={t`Loading your footprint`}>
      <Columns>
        <>
          <TotalCard footprint={data} isOld={isPlaceholderData} onMonth={setMonth} />
          <OffsetCard footprint={data} isOld={isPlaceholderData} />
          {isWide && estimate}
        </>
        <>
          <Categories footprint={data} />
          <Certificates />
          {!isWide && estimate}
        </>
      </Columns>
    </QueryScreen>
  )
}
