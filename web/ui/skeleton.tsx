import { cx } from '#web/ui/cx.ts'

type SkeletonProps = {
  round?: boolean
  /** True for the height of a line of text, drawn as high as its letters. */
  line?: boolean
  className?: string
}

/** A placeholder for loading content. The caller sets the size. */
export function Skeleton({ round = false, line = false, className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'block animate-shimmer bg-muted',
        round ? 'rounded-full' : 'rounded-lg',
        line && 'h-[1lh] max-w-full border-y-[0.25em] border-transparent [background-clip:padding-box]',
        className,
      )}
    />
  )
}

/** Placeholders for the rows of a loading list. */
export function RowSkeletons({ count }: { count: number }) {
  return (
    <ul aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="@container px-4">
          <span className="flex min-h-16 items-center gap-3 py-2.5">
            <Skeleton round className="size-11 shrink-0 @max-[9rem]:hidden" />
            <span className="min-w-0 flex-1">
              <Skeleton line className={index % 2 ? 'w-28' : 'w-36'} />
              <Skeleton line className="w-20 text-sm" />
            </span>
            <span className="min-w-0">
              <Skeleton line className="ms-auto w-16" />
              <Skeleton line className="ms-auto w-12 text-sm" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Announces to screen readers that content is loading. */
export function Loading({ label }: { label: string }) {
  return (
    <p role="status" className="sr-only">
      {label}
    </p>
  )
}
