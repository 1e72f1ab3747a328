import type { LucideIcon } from 'lucide-react'
import { Switch as Base } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { RowIcon } from '#web/ui/row.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type SwitchRowProps = {
  icon: LucideIcon
  label: string
  /** The effect of the setting while it is on. Screen readers read this text after the label. */
  description: ReactNode
  /** Undefined while the setting loads. */
  checked: boolean | undefined
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A setting that is on or off. The whole row is clickable. */
export function SwitchRow({ icon, label, description, checked, onChange, disabled }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="@container relative px-4 transition-colors duration-150 hover:bg-muted/60">
      <div className="flex min-h-16 items-center gap-3 py-2.5 @max-[12rem]:flex-wrap @max-[12rem]:justify-end">
        <RowIcon icon={icon} />
        <span className="min-w-0 flex-1 @max-[12rem]:basis-full">
          <span id={`${id}-label`} className="block font-medium">
            {label}
          </span>
          <span id={`${id}-description`} className="block text-sm text-pretty text-ink-soft">
            {description}
          </span>
        </span>
        {checked === undefined ? (
          <Skeleton className="h-8 w-13 shrink-0 !rounded-full" />
        ) : (
          <Base.Root
            checked={checked}
            onCheckedChange={onChange}
            disabled={disabled}
            aria-labelledby={`${id}-label`}
            aria-describedby={`${id}-description`}
            className="h-8 w-13 shrink-0 rounded-full bg-line-strong p-1 transition-colors duration-200 after:absolute after:inset-0 disabled:opacity-60 data-[state=checked]:bg-primary"
          >
            <Base.Thumb className="block size-6 rounded-full bg-surface shadow-card transition-transform duration-200 ease-out-soft data-[state=checked]:translate-x-5 rtl:data-[state=checked]:-translate-x-5" />
          </Base.Root>
        )}
      </div>
    </div>
  )
}
