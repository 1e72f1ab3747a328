import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'

const BUTTON_CLASS =
  'relative inline-grid size-11 shrink-0 place-items-center rounded-full text-ink transition-colors duration-150 hover:bg-muted'

type Named = {
  icon: LucideIcon
  label: string
  dot?: boolean
  /** A number on the button. The label must contain it too. */
  badge?: string | undefined
  /** True if the icon points back or forward and must be mirrored in right-to-left text. */
  directed?: boolean
}

function Inside({ icon: Icon, dot = false, badge, directed = false }: Omit<Named, 'label'>) {
  return (
    <>
      <Icon aria-hidden className={cx('size-[1.375rem]', directed && 'rtl:-scale-x-100')} strokeWidth={1.9} />
      {dot && (
        <span aria-hidden className="absolute end-2.5 top-2.5 size-2.5 rounded-full border-2 border-canvas bg-orange" />
      )}
      {badge !== undefined && (
        <span
          aria-hidden
          className="absolute end-0.5 top-0.5 min-w-5 rounded-full border-2 border-canvas bg-danger px-1 text-center text-[0.6875rem] leading-4 font-semibold text-on-danger tabular-nums"
        >
          {badge}
        </span>
      )}
    </>
  )
}

/** A button with an icon only and an accessible name. */
export function IconButton({
  icon,
  label,
  dot = false,
  directed = false,
  className,
  ...props
}: Omit<Named, 'badge'> & ComponentProps<'button'>) {
  return (
    <button type="button" aria-label={label} data-tip {...props} className={cx(BUTTON_CLASS, className)}>
      <Inside icon={icon} dot={dot} directed={directed} />
    </button>
  )
}

export function IconLink({
  icon,
  label,
  badge,
  directed = false,
  className,
  ...props
}: Omit<Named, 'dot'> & ComponentProps<typeof Link>) {
  return (
    <Link aria-label={label} data-tip {...props} className={cx(BUTTON_CLASS, className)}>
      <Inside icon={icon} badge={badge} directed={directed} />
    </Link>
  )
}
