import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '#web/ui/cx.ts'
import { boxLook, FieldNote } from '#web/ui/field.tsx'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id'> & {
  label: string
  /** The error below the box; it also marks the box as invalid. */
  error?: string | undefined
  hint?: ReactNode
}

/** A labeled multi-line text input. It grows with its content. */
export function TextArea({ label, error, hint, className, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <textarea
        rows={3}
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={cx(
          'block field-sizing-content max-h-60 min-h-24 w-full resize-none rounded-control px-4 py-3 text-base outline-none',
          boxLook(error),
        )}
      />
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  )
}
