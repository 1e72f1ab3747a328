import type { ComponentProps } from 'react'
import { Field } from '#web/ui/field.tsx'
import { usePhones } from '#web/ui/phones.ts'

type PhoneFieldProps = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'inputMode' | 'maxLength'> & {
  value: string
  onChange: (text: string) => void
}

/** A phone number, grouped as its country does while it is typed and where it comes from the bank. */
export function PhoneField({ value, onChange, ...props }: PhoneFieldProps) {
  const phones = usePhones()
  return (
    <Field
      autoComplete="tel"
      {...props}
      type="tel"
      inputMode="tel"
      maxLength={40}
      value={phones && /^\+\d+$/.test(value) ? phones.groupPhone(value) : value}
      onChange={(event) => {
        const { value: next, selectionEnd } = event.currentTarget
        // Only what is added at the end is grouped: whoever mends the middle keeps their place.
        const added = next.length > value.length && selectionEnd === next.length
        onChange(added && phones ? phones.groupPhone(next) : next)
      }}
    />
  )
}
