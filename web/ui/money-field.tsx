import type { ComponentProps } from 'react'
import { wholeAmount } from '#web/ui/amount-text.ts'
import { Field } from '#web/ui/field.tsx'

type MoneyFieldProps = Omit<ComponentProps<typeof Field>, 'onChange' | 'value' | 'inputMode'> & {
  value: string
  onChange: (text: string) => void
}

/** An amount among other fields. */
export function MoneyField({ value, onChange, onBlur, ...field }: MoneyFieldProps) {
  return (
    <Field
      {...field}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={(event) => {
        const whole = wholeAmount(value)
        if (whole !== value) onChange(whole)
        onBlur?.(event)
      }}
    />
  )
}
