import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { PasswordStrengthMeter } from '#web/identity/password/password-meter.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type GivenField = Omit<ComponentProps<typeof PasswordField>, 'label' | 'value'> & { value: string }

type NewPasswordProps = {
  password: GivenField
  confirmation: GivenField
  /** Texts about the owner that a guesser could try, such as the name. */
  ownerTexts: readonly string[]
  /** The smallest number of characters that the bank accepts. */
  minLength: number
}

/** Shows two fields for a new password, and its strength. */
export function NewPassword({ password, confirmation, ownerTexts, minLength }: NewPasswordProps) {
  const { t } = useLingui()
  return (
    <>
      <div className="flex flex-col gap-2">
        <PasswordField
          {...password}
          label={t`Password`}
          maxLength={200}
          autoComplete="new-password"
          enterKeyHint="next"
          hint={
            minLength > 1 &&
            plural(minLength, {
              one: 'At least # character. A few words together are easy to remember.',
              other: 'At least # characters. A few words together are easy to remember.',
            })
          }
        />
        <PasswordStrengthMeter password={password.value} ownerTexts={ownerTexts} />
      </div>
      <PasswordField
        {...confirmation}
        label={t`Confirm Password`}
        maxLength={200}
        autoComplete="new-password"
        enterKeyHint="done"
      />
    </>
  )
}
