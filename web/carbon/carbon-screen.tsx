import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Categories } from '#web/carbon/categories.tsx'
import { Certificates } from '#web/carbon/certificates.tsx'
import { Estimate } from '#web/carbon/estimate.tsx'
import { OffsetCard } from '#web/carbon/offset-card.tsx'
import { footprintQuery } from '#web/carbon/queries.ts'
import { TotalCard } from '#web/carbon/total-card.tsx'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useRoom } from '#web/ui/room.ts'
import { Screen } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

/** What a month's spending emitted, how to emit less, and the way to offset it. */
export function CarbonScreen() {
  const { t } = useLingui()
  const [month, setMonth] = useState<string | null>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(footprintQuery(month))
  // What explains the figures comes last, but fills the shorter column where there are two.
  const isWide = useRoom() === 'panes'
  const estimate = <Estimate footprint={data} />
  return (
    <Screen title={t`Carbon Footprint`} back={paths.dashboard}>
      {error && !data ? (
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {!data && <Loading label={t`Loading your footprint`} />}
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
        </>
      )}
    </Screen>
  )
}
