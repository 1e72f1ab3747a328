import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'

const LOOK =
  'relative inline-grid size-11 shrink-0 place-items-center rounded-full text-ink transition-colors duration-150 hover:bg-muted'

type Named = {
  icon: LucideIcon
  label: string
  dot?: boolean
  /** It points back or forth, and so the other way where the page is read from right to left. */
  directed?: boolean
}

function Inside({ icon: Icon, dot = false, directed = false }: Omit<Named, 'label'>) {
  return (
    <>
      <Icon aria-hidden className={cx('size-[1.375rem]', directed && 'rtl:-scale-x-100')} strokeWidth={1.9} />
      {dot && (
        <span aria-hidden className="absolute end-2.5 top-2.5 size-2.5 rounded-full border-2 border-canvas bg-orange" />
      )}
    </>
  )
}

/** An icon-only control with an accessible name. */
export function IconButton({
  icon,
  label,
  dot = false,
  directed = false,
  className,
  ...props
}: Named & ComponentProps<'button'>) {
  return (
    <button type="button" aria-label={label} title={label} {...props} className={cx(LOOK, className)}>
      <Inside icon={icon} dot={dot} directed={directed} />
    </button>
  )
}

export function IconLink({
  icon,
  label,
  dot = false,
  directed = false,
  className,
  ...props
}: Named & ComponentProps<typeof Link>) {
  return (
    <Link aria-label={label} title={label} {...props} className={cx(LOOK, className)}>
      <Inside icon={icon} dot={dot} directed={directed} />
    </Link>
  )
}
