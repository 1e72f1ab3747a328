import { RadioGroup } from 'radix-ui'
import { useDirection } from '#web/ui/direction.ts'

type SegmentedProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One choice out of a few short ones; one is always chosen, and the arrow keys choose the next. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const direction = useDirection()
  return (
    <RadioGroup.Root
      dir={direction}
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next)
        if (chosen) onChange(chosen.value)
      }}
      className="flex flex-wrap gap-1 rounded-control bg-muted p-1"
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className="min-h-11 flex-1 rounded-[0.65rem] px-1 text-sm font-medium whitespace-nowrap text-ink-soft transition-colors data-[state=checked]:bg-surface data-[state=checked]:text-ink data-[state=checked]:shadow-card"
        >
          {/* As wide as a finger at least, and never narrower than its text. */}
          <span className="inline-block min-w-9">{option.label}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
