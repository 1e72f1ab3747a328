import { useState } from 'react'
import { useLazy } from '#web/lib/lazy.ts'
import type { ChartProps } from '#web/ui/chart/chart-props.ts'
import { PLOT_SIZE } from '#web/ui/chart/plot-size.ts'
import { LoadFailure, UNREACHABLE } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const loadChartView = () => import('#web/ui/chart/chart-view.tsx')

/**
 * A chart of a value over time. Its code loads after the screen. A skeleton of the same height is shown while the code or the
 * data loads.
 */
export function Chart({ points, ...chart }: ChartProps) {
  const [hasFailed, setFailed] = useState(false)
  const view = useLazy(loadChartView, !hasFailed, () => setFailed(true))
  if (hasFailed) return <LoadFailure error={UNREACHABLE} refetch={() => setFailed(false)} />
  if (!view || !points) return <ChartSkeleton {...chart} />
  return <view.ChartView points={points} {...chart} />
}

function ChartSkeleton({ names, gain, ranges }: Pick<ChartProps, 'names' | 'gain' | 'ranges'>) {
  return (
    <div aria-hidden>
      <Skeleton line className="w-24 text-sm" />
      <div className="flex flex-wrap gap-x-4">
        {[names.value, names.base, gain?.name].map(
          (name) => name !== undefined && <Skeleton key={name} line className="w-36 max-w-full text-sm" />,
        )}
      </div>
      {names.note !== undefined && <Skeleton line className="w-40 text-sm" />}
      <div className={PLOT_SIZE}>
        <Skeleton className="relative top-1/4 h-1/2" />
      </div>
      <div className="flex justify-between">
        <Skeleton line className="w-14 text-xs" />
        <Skeleton line className="w-14 text-xs" />
      </div>
      {ranges && <Skeleton className="mt-3 h-13 rounded-control" />}
      <div className="mt-1 flex h-11 items-center justify-center">
        <Skeleton line className="w-28" />
      </div>
    </div>
  )
}
