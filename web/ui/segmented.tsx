import { useId } from 'react'

type SegmentedProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice of one among a few short options. One is always chosen, and the arrow keys choose the next. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-1 rounded-control bg-muted p-1">
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex min-h-11 flex-1 items-center justify-center rounded-[0.65rem] px-1 text-sm font-medium whitespace-nowrap text-ink-soft transition-colors has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            // Without this, Enter would submit the surrounding form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {/* At least as wide as a fingertip. A flex item is never narrower than its text, so long options wrap. */}
          <span className="min-w-9 text-center">{option.label}</span>
        </label>
      ))}
    </div>
  )
}
