import type { ComponentProps } from 'react'
import { Field } from '#web/ui/field.tsx'
import { usePhoneLibrary } from '#web/ui/phone-library.ts'

type PhoneFieldProps = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'inputMode' | 'maxLength'> & {
  value: string
  onChange: (text: string) => void
  /** The customer's current number. Its country is that of a number without a country code. */
  currentPhone?: string | null
}

/** A phone number, grouped by the rules of its country. */
export function PhoneField({ value, onChange, currentPhone, ...props }: PhoneFieldProps) {
  const phones = usePhoneLibrary()
  return (
    <Field
      autoComplete="tel"
      {...props}
      type="tel"
      inputMode="tel"
      maxLength={40}
      value={phones && /^\+\d+$/.test(value) ? phones.groupPhone(value, currentPhone) : value}
      onChange={(event) => {
        const { value: next, selectionEnd } = event.currentTarget
        // Only text that is added at the end is grouped, so that the cursor does not move during edits in the middle.
        const isAddedAtEnd = next.length > value.length && selectionEnd === next.length
        onChange(isAddedAtEnd && phones ? phones.groupPhone(next, currentPhone) : next)
      }}
    />
  )
}
