import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { boxLook } from '#web/ui/field.tsx'

type SelectFieldProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  /** Null if no option is chosen. */
  value: Value | null
  onChange: (value: Value) => void
  /** The text while no option is chosen. */
  placeholder?: string
}

/** A labeled choice of one among many options, with the device's own menu. */
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
            const chosenOption = options.find((option) => option.value === event.currentTarget.value)
            if (chosenOption) onChange(chosenOption.value)
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
