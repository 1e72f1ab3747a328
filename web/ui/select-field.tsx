import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { boxLook } from '#web/ui/field.tsx'

type SelectFieldProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  /** Null where nothing is chosen yet. */
  value: Value | null
  onChange: (value: Value) => void
  /** What is read where nothing is chosen. */
  placeholder?: string
}

/** A labelled choice of one out of many, as the device offers it. */
export function SelectField<Value extends string>({
  label,
  options,
  value,
  onChange,
  placeholder = '',
}: SelectFieldProps<Value>) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div className={`relative flex min-h-13 items-center rounded-control ${boxLook(value === null)}`}>
        <select
          id={id}
          value={value ?? ''}
          aria-required={value === null || undefined}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value)
            if (chosen) onChange(chosen.value)
          }}
          className="min-h-13 w-full min-w-0 appearance-none rounded-control bg-transparent ps-4 pe-10 text-base text-ellipsis outline-none"
        >
          {value === null && (
            <option value="" disabled className="bg-surface text-ink">
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-surface text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute end-3.5 size-5 text-ink-soft"
          strokeWidth={2}
        />
      </div>
    </div>
  )
}
