import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/**
 * The action tiles of a screen, with `label` as the name of the group. Tiles in a row have equal widths and wrap on narrow
 * screens.
 */
export function ActionTiles({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container">
      <div role="group" aria-label={label} className="flex flex-wrap gap-2">
        {children}
      </div>
    </div>
  )
}

/** Three tiles fit in a row on a phone, and five beside a list. */
const WIDTH = 'flex-1 basis-24 @md:basis-20'

const TILE_CLASS = cx(
  WIDTH,
  'flex min-h-18 flex-col items-center justify-center gap-1.5 rounded-control border border-line bg-surface px-1.5 py-2.5 text-center text-sm leading-tight font-medium text-balance hyphens-auto shadow-card transition-[background-color,transform] duration-150 hover:bg-muted active:scale-[0.985]',
)

type Tile = {
  icon: LucideIcon
  /** True if the icon points in the reading direction and must be mirrored in right-to-left text. */
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

/** A tile for an action on the screen's subject: an icon above a short label. While `busy` it ignores clicks. */
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
      className={TILE_CLASS}
    >
      {busy ? <Spinner className="text-primary" /> : <Picture icon={icon} {...(directed && { directed })} />}
      {children}
    </button>
  )
}

/** Reserves the space of a tile that is loading, so that the other tiles do not move. */
export const ActionTileSkeleton = () => <Skeleton className={cx(WIDTH, 'min-h-18 !rounded-control')} />

/** A tile that links to another screen. */
export function ActionTileLink({ icon, directed, children, ...link }: Tile & ComponentProps<typeof Link>) {
  return (
    <Link {...link} className={TILE_CLASS}>
      <Picture icon={icon} {...(directed && { directed })} />
      {children}
    </Link>
  )
}
