import { useState } from 'react'
import { useOnDemand } from '#web/lib/on-demand.ts'
import type { ChartProps } from '#web/ui/chart/chart-props.ts'
import { PLOT_SIZE } from '#web/ui/chart/plot-size.ts'
import { Failure, UNREACHABLE } from '#web/ui/failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const loadView = () => import('#web/ui/chart/chart-view.tsx')

/** A value over time. Its code comes after the screen's own; until then there is a shape of the same height. */
export function Chart({ points, ...chart }: ChartProps) {
  const [isFailed, setFailed] = useState(false)
  const view = useOnDemand(loadView, !isFailed, () => setFailed(true))
  if (isFailed) return <Failure error={UNREACHABLE} refetch={() => setFailed(false)} />
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
