import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { passwordLength } from '#contract/passwords.ts'
import { useEstimator } from '#web/identity/password/estimator.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { type FormError, formErrors } from '#web/lib/form.ts'

type Person = { fullName: string; email: string }

/** The bank's rule for new passwords. */
export type PasswordRule = {
  /** The smallest number of characters. */
  minLength: number
  isCommon: (password: string, person: Person) => boolean
}

/** The rule before the bank's own rule is loaded. It accepts every password, and the bank checks the password itself. */
export const ANY_PASSWORD: PasswordRule = { minLength: 0, isCommon: () => false }

/** Returns the bank's rule, as far as it is loaded. `isNeeded` is true if the screen has a field for a new password. */
export function usePasswordRule(isNeeded = true): PasswordRule {
  const { data } = useQuery(currentSessionQuery)
  const commonRefused = data?.commonPasswordsRefused ?? false
  const estimator = useEstimator(isNeeded && commonRefused)
  return {
    minLength: data?.passwordMinLength ?? 0,
    isCommon: (commonRefused && estimator?.isCommon) || ANY_PASSWORD.isCommon,
  }
}

export type NewPasswordValues = { password: string; confirmPassword: string }

/** Returns the errors of a new password. An empty password has none of these errors; `missingPasswords` returns its error. */
export function passwordErrors(
  { password, confirmPassword }: NewPasswordValues,
  rule: PasswordRule,
  person: Person = { fullName: '', email: '' },
): FormError<keyof NewPasswordValues>[] {
  if (password === '') return []
  const tooShort = passwordLength(password) < rule.minLength
  return formErrors(
    confirmPassword !== '' && password !== confirmPassword && { field: 'confirmPassword', code: 'passwords_differ' },
    tooShort && { field: 'password', code: 'password_too_short' },
    !tooShort && rule.isCommon(password, person) && { field: 'password', code: 'password_common' },
  )
}

/** Returns errors for empty password fields. A password may contain spaces, also at its ends. */
export function missingPasswords({
  password,
  confirmPassword,
}: NewPasswordValues): FormError<keyof NewPasswordValues>[] {
  return formErrors(
    password === '' && { field: 'password', code: 'fields_missing', text: t`Choose a password` },
    confirmPassword === '' && {
      field: 'confirmPassword',
      code: 'fields_missing',
      text: t({ message: 'Enter it again', comment: '"It" is the new password' }),
    },
  )
}
