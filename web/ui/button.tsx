import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Look = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'large' | 'small'
}

const VARIANTS = {
  primary: 'bg-primary text-on-primary hover:bg-primary-strong shadow-card',
  secondary: 'bg-muted text-ink hover:bg-line',
  quiet: 'text-primary hover:bg-primary-subtle',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
} as const

const SIZES = {
  large: 'min-h-13 px-6 py-2 text-base rounded-control',
  // Where letters are words, as in Chinese, a narrow button would break between any two.
  small: 'min-h-11 break-keep px-4 py-1.5 text-[0.9375rem] rounded-full',
} as const

/** What makes a link to elsewhere look like a button, too. */
export function buttonLook({ variant = 'primary', size = 'large' }: Look): string {
  return cx(
    'inline-flex items-center justify-center gap-2 font-semibold text-center select-none [&>svg]:shrink-0 transition-[background-color,transform,opacity] duration-150',
    'active:scale-[0.985] disabled:active:scale-100 disabled:opacity-55 disabled:cursor-not-allowed',
    // Busy or done: it is solid, for it says so itself.
    'aria-disabled:active:scale-100 aria-disabled:!cursor-default',
    VARIANTS[variant],
    SIZES[size],
  )
}

type ButtonProps = Look &
  ComponentProps<'button'> & {
    busy?: boolean
    /** What it does has succeeded: it shows a check mark and cannot be pressed again. */
    done?: boolean
    icon?: ReactNode
  }

/** While `busy` and once `done`, it keeps its focus and its name but ignores clicks. */
export function Button(button: ButtonProps) {
  const { variant, size, busy = false, done = false, icon, className, children, type, disabled, ...props } = button
  return (
    <button
      type={type ?? 'button'}
      {...props}
      disabled={disabled}
      aria-busy={busy || undefined}
      // A disabled button loses the focus, and keyboard users their position.
      {...((busy || done) && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
      className={cx(buttonLook({ ...(variant && { variant }), ...(size && { size }) }), className)}
    >
      {busy ? <Spinner /> : done ? <DoneTick className="size-6" /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = Look & ComponentProps<typeof Link> & { icon?: ReactNode }

/** Looks like a button, goes somewhere. */
export function ButtonLink({ variant, size, icon, className, children, ...props }: ButtonLinkProps) {
  return (
    <Link {...props} className={cx(buttonLook({ ...(variant && { variant }), ...(size && { size }) }), className)}>
      {icon}
      {children}
    </Link>
  )
}
