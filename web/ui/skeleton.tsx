import { cx } from '#web/ui/cx.ts'

/** A shape that stands where something will come. The size is the caller's. */
export function Skeleton({ round = false, className }: { round?: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('block animate-shimmer bg-muted', round ? 'rounded-full' : 'rounded-lg', className)}
    />
  )
}

/** Rows of a list that is on its way. */
export function RowSkeletons({ count }: { count: number }) {
  return (
    <ul aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="flex min-h-16 items-center gap-3 px-4 py-2.5">
          <Skeleton round className="size-11 shrink-0" />
          <span className="flex-1 space-y-2">
            <Skeleton className={index % 2 ? 'h-4 w-28' : 'h-4 w-36'} />
            <Skeleton className="h-3 w-20" />
          </span>
          <span className="space-y-2">
            <Skeleton className="ms-auto h-4 w-16" />
            <Skeleton className="ms-auto h-3 w-12" />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Says to a screen reader that something is on its way. */
export function Loading({ label }: { label: string }) {
  return (
    <p role="status" className="sr-only">
      {label}
    </p>
  )
}
