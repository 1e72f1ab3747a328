import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '#web/ui/cx.ts'

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  /** Shown and tied to the input; also marks it as invalid. */
  error?: string | undefined
  hint?: ReactNode
  /** Sits inside the box, after the input. */
  trailing?: ReactNode
}

/** A labelled line of text. */
export function Field({ label, error, hint, trailing, className, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div
        className={cx(
          'flex min-h-13 items-center rounded-control border bg-surface transition-colors focus-within:border-primary focus-within:ring-2 focus-within:ring-primary has-[input:read-only]:bg-transparent',
          error ? 'border-danger' : 'border-line-strong/55 has-[input:read-only]:border-line',
        )}
      >
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          className="min-h-13 w-full min-w-0 rounded-control bg-transparent px-4 text-base text-ellipsis outline-none"
        />
        {trailing}
      </div>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  )
}

/** What stands under a field: its error, else its hint. */
export function FieldNote({ id, error, hint }: { id: string; error?: string | undefined; hint?: ReactNode }) {
  if (!error && !hint) return null
  return (
    <p id={id} className={cx('mt-1.5 text-sm', error ? 'font-medium text-danger' : 'text-ink-soft')}>
      {error ?? hint}
    </p>
  )
}
