import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The tiles of a screen, named by `label`. They share the width of their row evenly, and go on below where there is no room. */
export function ActionTiles({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container">
      <div role="group" aria-label={label} className="flex flex-wrap gap-2">
        {children}
      </div>
    </div>
  )
}

/** Three in a row on a phone, five beside a list. */
const WIDTH = 'flex-1 basis-24 @md:basis-20'

const LOOK = cx(
  WIDTH,
  'flex min-h-18 flex-col items-center justify-center gap-1.5 rounded-control border border-line bg-surface px-1.5 py-2.5 text-center text-sm leading-tight font-medium text-balance hyphens-auto shadow-card transition-[background-color,transform] duration-150 hover:bg-muted active:scale-[0.985]',
)

type Tile = {
  icon: LucideIcon
  /** The picture points where one reads to. */
  directed?: boolean
}

function Picture({ icon: Icon, directed = false }: Tile) {
  return (
    <Icon
      aria-hidden
      className={cx('size-5 shrink-0 text-primary', directed && 'rtl:-scale-x-100')}
      strokeWidth={1.9}
    />
  )
}

/** One of the things that can be done about what a screen shows: a picture over a word or two. While `busy` it ignores clicks. */
export function ActionTile({
  icon,
  directed,
  busy = false,
  onClick,
  children,
  ...button
}: Tile & ComponentProps<'button'> & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...button}
      aria-busy={busy || undefined}
      {...(busy ? { 'aria-disabled': true } : { onClick })}
      className={LOOK}
    >
      {busy ? <Spinner className="text-primary" /> : <Picture icon={icon} {...(directed && { directed })} />}
      {children}
    </button>
  )
}

/** Keeps the room of one that is on its way: the others would else move into another row. */
export const ActionTileSkeleton = () => <Skeleton className={cx(WIDTH, 'min-h-18 !rounded-control')} />

/** The same where it goes somewhere. */
export function ActionTileLink({ icon, directed, children, ...link }: Tile & ComponentProps<typeof Link>) {
  return (
    <Link {...link} className={LOOK}>
      <Picture icon={icon} {...(directed && { directed })} />
      {children}
    </Link>
  )
}
