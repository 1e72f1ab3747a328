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
  /** True if the icon points in the reading direction and must be mirrored in right-to-left text. */
  directed?: boolean | undefined
}

/** The icon at the start of a row. It is hidden if large text needs the whole row. */
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
  /** A picture instead of the icon, such as an avatar or a merchant's logo. */
  picture?: ReactNode
  title: ReactNode
  description?: ReactNode
  /** Content at the end of the row. */
  trailing?: ReactNode
}

/** A row of a list, with a title and details. */
export function Row(row: RowProps) {
  return (
    <div className={ROW_CLASS}>
      <Inside {...row} />
    </div>
  )
}

const ROW_CLASS = '@container w-full px-4 text-start'
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

/** The arrow of a row that is a link. */
export function Onward() {
  return <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft rtl:-scale-x-100" strokeWidth={2} />
}

/** A row of a list that is a link. */
export function LinkRow({
  to,
  onClick,
  trailing,
  ...row
}: RowProps & Pick<ComponentProps<typeof Link>, 'to' | 'onClick'>) {
  const inList = useRowLink(typeof to === 'string' ? to : to.pathname)
  return (
    <Link to={to} onClick={onClick} {...inList} className={cx('block', ROW_CLASS, PRESSED, CHOSEN_ROW)}>
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
  /** True while the row's action runs. The row then shows a spinner and ignores clicks. */
  busy?: boolean
  /** True while the row's action is not available. */
  disabled?: boolean
  /** True if the row opens a sheet or a dialog. */
  opens?: boolean
  /** The id of the element that describes the row, if several rows have the same label. */
  about?: string
}

/** A row of a list that is a button. */
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
      className={cx(ROW_CLASS, PRESSED)}
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
