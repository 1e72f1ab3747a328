import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type ButtonLook = {
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
  // Without `break-keep`, a narrow button would break between any two characters of languages such as Chinese.
  small: 'min-h-11 break-keep px-4 py-1.5 text-[0.9375rem] rounded-full',
} as const

/** Returns the classes of a button. They can also make an external link look like a button. */
export function buttonLook({ variant = 'primary', size = 'large' }: ButtonLook): string {
  return cx(
    'inline-flex items-center justify-center gap-2 font-semibold text-center select-none [&>svg]:shrink-0 transition-[background-color,transform,opacity] duration-150',
    'active:scale-[0.985] disabled:active:scale-100 disabled:opacity-55 disabled:cursor-not-allowed',
    // A busy or done button is not faded as a disabled button is, because its icon shows the state.
    'aria-disabled:active:scale-100 aria-disabled:!cursor-default',
    VARIANTS[variant],
    SIZES[size],
  )
}

type ButtonProps = ButtonLook &
  ComponentProps<'button'> & {
    busy?: boolean
    /** True after the action has succeeded: the button shows a check mark and ignores clicks. */
    done?: boolean
    icon?: ReactNode
  }

/** A button. While `busy` and when `done`, it keeps its focus and its name but ignores clicks. */
export function Button(button: ButtonProps) {
  const { variant, size, busy = false, done = false, icon, className, children, type, disabled, ...props } = button
  return (
    <button
      type={type ?? 'button'}
      {...props}
      disabled={disabled}
      aria-busy={busy || undefined}
      // A disabled button would lose the focus, and keyboard users would lose their position.
      {...((busy || done) && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
      className={cx(buttonLook({ ...(variant && { variant }), ...(size && { size }) }), className)}
    >
      {busy ? <Spinner /> : done ? <DoneTick className="size-6" /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = ButtonLook & ComponentProps<typeof Link> & { icon?: ReactNode }

/** A link with the look of a button. */
export function ButtonLink({ variant, size, icon, className, children, ...props }: ButtonLinkProps) {
  return (
    <Link {...props} className={cx(buttonLook({ ...(variant && { variant }), ...(size && { size }) }), className)}>
      {icon}
      {children}
    </Link>
  )
}
