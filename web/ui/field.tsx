import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '#web/ui/cx.ts'

/** Returns the classes of a field's box. A ring marks the focus; a red ring marks an error. */
export function boxLook(error: unknown): string {
  return cx(
    'border bg-surface transition-[border-color,box-shadow] focus-within:ring-2',
    error
      ? 'border-danger ring-1 ring-danger'
      : 'border-line-strong/55 focus-within:border-primary focus-within:ring-primary',
  )
}

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  /** The error below the input; it also marks the input as invalid. */
  error?: string | undefined
  hint?: ReactNode
  /** Content inside the box, before the input. */
  leading?: ReactNode
  /** Content inside the box, after the input. */
  trailing?: ReactNode
}

/** A labeled single-line input. */
export function Field({ label, error, hint, leading, trailing, className, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div
        className={cx(
          'flex min-h-13 items-center rounded-control has-[input:read-only]:bg-transparent',
          boxLook(error),
          !error && 'has-[input:read-only]:border-line',
        )}
      >
        {leading}
        <input
          // Email addresses and phone numbers are written from left to right in every language.
          {...((input.type === 'email' || input.type === 'tel') && { dir: 'ltr' })}
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={cx((error || hint) && `${id}-note`, input['aria-describedby']) || undefined}
          className={cx(
            'min-h-13 w-full min-w-0 rounded-control bg-transparent text-base text-ellipsis outline-none rtl:text-right',
            // Firefox adds space and a button to a date. With less padding, two dates fit side by side on a phone.
            input.type === 'date' ? 'px-2.5' : 'px-4',
          )}
        />
        {trailing}
      </div>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  )
}

/** The text below a field: its error or, without an error, its hint. */
export function FieldNote({ id, error, hint }: { id: string; error?: string | undefined; hint?: ReactNode }) {
  if (!error && !hint) return null
  return (
    <p id={id} className={cx('mt-1.5 text-sm', error ? 'flex gap-1.5 font-medium text-danger' : 'text-ink-soft')}>
      {error && <CircleAlert aria-hidden className="mt-px size-4 shrink-0" strokeWidth={2.2} />}
      {error ? <span className="min-w-0">{error}</span> : hint}
    </p>
  )
}
