import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { PasswordMeter } from '#web/identity/password/password-meter.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type GivenField = Omit<ComponentProps<typeof PasswordField>, 'label' | 'value'> & { value: string }

type NewPasswordProps = {
  password: GivenField
  confirmation: GivenField
  /** What a guesser would know about its owner. */
  known: readonly string[]
  /** Characters that the bank asks for at least. */
  minLength: number
}

/** A new password, twice, and how good it is. */
export function NewPassword({ password, confirmation, known, minLength }: NewPasswordProps) {
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
        <PasswordMeter password={password.value} known={known} />
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
