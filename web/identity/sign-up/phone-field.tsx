import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { type Control, Controller } from 'react-hook-form'
import { errorText } from '#web/i18n/words.ts'
import type { SignUpForm } from '#web/identity/sign-up/sign-up-form.ts'
import { Field } from '#web/ui/field.tsx'

type Phones = typeof import('#web/identity/sign-up/phone-text.ts')

/** What knows how the world writes phone numbers; it is large, and fetched when it is needed. */
function usePhones(): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    // Without it a number stays as it is typed.
    import('#web/identity/sign-up/phone-text.ts').then(setPhones, () => {})
  }, [])
  return phones
}

type PhoneFieldProps = {
  control: Control<SignUpForm>
  onEdit: () => void
  /** What was typed cannot be a number; a help, the bank decides. */
  onDoubt: (message: string) => void
}

/** A phone number, grouped while it is typed. */
export function PhoneField({ control, onEdit, onDoubt }: PhoneFieldProps) {
  const { t } = useLingui()
  const phones = usePhones()
  return (
    <Controller
      control={control}
      name="phone"
      render={({ field, fieldState }) => (
        <Field
          {...field}
          label={t({ message: 'Phone', comment: 'Phone number' })}
          type="tel"
          inputMode="tel"
          placeholder="07700 900123"
          maxLength={40}
          autoComplete="tel"
          enterKeyHint="next"
          error={fieldState.error?.message}
          onChange={(event) => {
            const { value, selectionEnd } = event.currentTarget
            // Only what is added at the end is grouped: whoever mends the middle keeps their place.
            const added = value.length > field.value.length && selectionEnd === value.length
            field.onChange(added && phones ? phones.groupPhone(value) : value)
            onEdit()
          }}
          onBlur={(event) => {
            field.onBlur()
            const goesOn = event.relatedTarget instanceof HTMLInputElement
            if (goesOn && phones && field.value.trim() !== '' && !phones.isPhone(field.value))
              onDoubt(errorText('phone_invalid'))
          }}
        />
      )}
    />
  )
}
