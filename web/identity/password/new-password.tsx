import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { PasswordMeter } from '#web/identity/password/password-meter.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type Registered = Omit<ComponentProps<typeof PasswordField>, 'label'>

type NewPasswordProps = {
  password: Registered
  confirmation: Registered
  /** What stands in the first field. */
  typed: string
  /** What a guesser would know about its owner. */
  known: readonly string[]
  /** Characters that the bank asks for at least. */
  minLength: number
}

/** A new password, twice, and how good it is. */
export function NewPassword({ password, confirmation, typed, known, minLength }: NewPasswordProps) {
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
        <PasswordMeter password={typed} known={known} />
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
