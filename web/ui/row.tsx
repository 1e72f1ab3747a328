import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { CHOSEN_ROW, useRowLink } from '#web/ui/pane.ts'
import { Spinner } from '#web/ui/spinner.tsx'

const TINTS = {
  primary: 'bg-primary-subtle text-primary',
  orange: 'bg-orange-subtle text-orange',
  blue: 'bg-blue-subtle text-blue',
  purple: 'bg-purple-subtle text-purple',
  plain: 'bg-muted text-ink-soft',
  danger: 'bg-danger-subtle text-danger',
} as const
export type RowTint = keyof typeof TINTS

type RowIconProps = {
  icon: LucideIcon
  tint?: RowTint | undefined
  /** The picture points where one reads to. */
  directed?: boolean | undefined
}

/** The picture that a row of a list begins with; where large text needs all of the row, it makes room. */
export function RowIcon({ icon: Icon, tint = 'primary', directed }: RowIconProps) {
  return (
    <span
      aria-hidden
      className={cx('grid size-11 shrink-0 place-items-center rounded-full @max-[12rem]:hidden', TINTS[tint])}
    >
      <Icon className={cx('size-5', directed && 'rtl:-scale-x-100')} strokeWidth={1.9} />
    </span>
  )
}

type RowProps = Partial<RowIconProps> & {
  /** Stands in place of the icon: a face, a merchant's mark. */
  picture?: ReactNode
  title: ReactNode
  description?: ReactNode
  /** Stands at the end of the row. */
  trailing?: ReactNode
}

/** One line of a list: what it is, and something about it. */
export function Row(row: RowProps) {
  return (
    <div className={LOOK}>
      <Inside {...row} />
    </div>
  )
}

const LOOK = '@container w-full px-4 text-start'
const PRESSED = 'transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted'

function Inside({ icon, picture, tint, directed, title, description, trailing }: RowProps) {
  return (
    <span className="flex min-h-16 items-center gap-3 py-2.5">
      {picture && <span className="shrink-0 @max-[12rem]:hidden">{picture}</span>}
      {!picture && icon && <RowIcon icon={icon} tint={tint} directed={directed} />}
      <span className="min-w-0 flex-1">
        <span className={cx('block font-medium', tint === 'danger' && 'text-danger')}>{title}</span>
        {description && <span className="block text-sm text-pretty text-ink-soft">{description}</span>}
      </span>
      {trailing}
    </span>
  )
}

/** Says that a row leads somewhere. */
export function Onward() {
  return <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft rtl:-scale-x-100" strokeWidth={2} />
}

/** A line of a list that leads somewhere. */
export function LinkRow({
  to,
  onClick,
  trailing,
  ...row
}: RowProps & Pick<ComponentProps<typeof Link>, 'to' | 'onClick'>) {
  const inList = useRowLink(typeof to === 'string' ? to : to.pathname)
  return (
    <Link to={to} onClick={onClick} {...inList} className={cx('block', LOOK, PRESSED, CHOSEN_ROW)}>
      <Inside
        {...row}
        trailing={
          <>
            {trailing}
            <Onward />
          </>
        }
      />
    </Link>
  )
}

type ButtonRowProps = RowProps & {
  onClick: () => void
  /** Stays named and answers no click. */
  busy?: boolean
  /** Cannot be pressed yet. */
  disabled?: boolean
  /** It opens something to go on in. */
  opens?: boolean
  /** The id of what it belongs to, where others say the same: it is read after the row. */
  about?: string
}

/** A line of a list that does something. */
export function ButtonRow({
  onClick,
  busy = false,
  disabled = false,
  opens = false,
  about,
  trailing,
  ...row
}: ButtonRowProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      disabled={busy || disabled}
      aria-busy={busy || undefined}
      aria-describedby={about}
      {...(opens && { 'aria-haspopup': 'dialog' })}
      className={cx(LOOK, PRESSED)}
    >
      <Inside
        {...row}
        trailing={
          <>
            {trailing}
            {busy ? <Spinner className="text-ink-soft" /> : opens && <Onward />}
          </>
        }
      />
    </button>
  )
}
