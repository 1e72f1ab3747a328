import { Skeleton } from '#web/ui/skeleton.tsx'

/** Placeholders for rows that are loading, in the shape of each section. */
export function RowsSkeleton({ count, shape }: { count: number; shape: 'card' | 'account' }) {
  return (
    <ul aria-hidden className="divide-y divide-line">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="@container px-4">
          <span className="flex min-h-18 items-center gap-3.5 py-3">
            {shape === 'card' ? (
              <Skeleton className="h-8.5 w-13.5 shrink-0 @max-[12rem]:hidden" />
            ) : (
              <Skeleton round className="size-11 shrink-0 @max-[12rem]:hidden" />
            )}
            <span className="min-w-0 flex-1">
              <Skeleton line className={index % 2 ? 'w-28' : 'w-36'} />
              <Skeleton line className="w-44 text-sm" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
