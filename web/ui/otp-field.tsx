import { type FocusEventHandler, type Ref, useId } from 'react'
import { cx } from '#web/ui/cx.ts'
import { boxLook, FieldNote } from '#web/ui/field.tsx'

/** Returns the digits of typed or pasted text, which may contain spaces: '123 456' is one code. */
function digitsOf(text: string, length: number): string {
  return text.replace(/\D/g, '').slice(0, length)
}

type OtpFieldProps = {
  label: string
  name?: string
  length: number
  value: string
  onChange: (digits: string) => void
  /** Called when all digits are entered. */
  onFull: (digits: string) => void
  error?: string | undefined
  hint?: string
  onBlur?: FocusEventHandler<HTMLInputElement>
  ref?: Ref<HTMLInputElement>
}

/** A one-time code in a single field, so that pasting and the device's autofill work. */
export function OtpField({ label, length, value, onChange, onFull, error, hint, ...input }: OtpFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <input
        {...input}
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder={'0'.repeat(length)}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        onChange={(event) => {
          const digits = digitsOf(event.currentTarget.value, length)
          if (digits === value) return
          onChange(digits)
          if (digits.length === length) onFull(digits)
        }}
        className={cx(
          'tabular h-17 w-full rounded-control ps-[0.35em] text-center text-3xl font-semibold tracking-[0.35em] outline-none placeholder:font-normal placeholder:text-line-strong/60',
          boxLook(error),
        )}
      />
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  )
}
