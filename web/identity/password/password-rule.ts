import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { passwordLength } from '#contract/passwords.ts'
import { useEstimator } from '#web/identity/password/estimator.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { type Fault, faults } from '#web/lib/form.ts'

type Person = { fullName: string; email: string }

/** What this bank asks of a new password. */
export type PasswordRule = {
  /** Characters that it has at least. */
  minLength: number
  isCommon: (password: string, person: Person) => boolean
}

/** What every bank takes; whatever a bank asks beyond that, it says itself. */
export const ANY_PASSWORD: PasswordRule = { minLength: 0, isCommon: () => false }

/** The rule of this bank, as far as it is known yet. `needed`: a new password is asked for. */
export function usePasswordRule(needed = true): PasswordRule {
  const { data } = useQuery(currentSessionQuery)
  const commonRefused = data?.commonPasswordsRefused ?? false
  const estimator = useEstimator(needed && commonRefused)
  return {
    minLength: data?.passwordMinLength ?? 0,
    isCommon: (commonRefused && estimator?.isCommon) || ANY_PASSWORD.isCommon,
  }
}

export type NewPasswordValues = { password: string; confirmPassword: string }

/** What is wrong with a new password beyond that it is missing. Of one that is not there yet, nothing is said. */
export function passwordFaults(
  { password, confirmPassword }: NewPasswordValues,
  rule: PasswordRule,
  person: Person = { fullName: '', email: '' },
): Fault<keyof NewPasswordValues>[] {
  if (password === '') return []
  const tooShort = passwordLength(password) < rule.minLength
  return faults(
    confirmPassword !== '' && password !== confirmPassword && { field: 'confirmPassword', code: 'passwords_differ' },
    tooShort && { field: 'password', code: 'password_too_short' },
    !tooShort && rule.isCommon(password, person) && { field: 'password', code: 'password_common' },
  )
}

/** A new password is asked for twice. Spaces may well be part of it. */
export function missingPasswords({ password, confirmPassword }: NewPasswordValues): Fault<keyof NewPasswordValues>[] {
  return faults(
    password === '' && { field: 'password', code: 'fields_missing', text: t`Choose a password` },
    confirmPassword === '' && {
      field: 'confirmPassword',
      code: 'fields_missing',
      text: t({ message: 'Type it once more', comment: 'The password, to confirm it' }),
    },
  )
}
