import { t } from '@lingui/core/macro'
import type { ErrorCode } from '#contract/errors.ts'
import type { SignUpRequest } from '#contract/identity.ts'
import {
  ANY_PASSWORD,
  missingPasswords,
  passwordErrors,
  type PasswordRule,
} from '#web/identity/password/password-rule.ts'
import { isEmail } from '#web/lib/address.ts'
import { type FormError, formErrors } from '#web/lib/form.ts'

export type SignUpForm = Omit<SignUpRequest, 'referralCode'> & { confirmPassword: string }
export type SignUpField = keyof SignUpForm

export const SIGN_UP_STEPS = 3

/** The step that contains each field. */
export const STEP_OF = {
  fullName: 1,
  email: 1,
  phone: 2,
  password: 2,
  confirmPassword: 2,
} as const satisfies Record<SignUpField, number>

/** The query parameter that contains a friend's referral code. */
const REFERRAL = 'ref'
const LONGEST_REFERRAL = 40

/** Returns the referral code of an address. A code that is too long is left out, so that it cannot prevent the sign-up. */
export function referralIn(search: string): Pick<SignUpRequest, 'referralCode'> {
  const referralCode = new URLSearchParams(search).get(REFERRAL)?.trim()
  return referralCode && referralCode.length <= LONGEST_REFERRAL ? { referralCode } : {}
}

/** The bank's rules for a sign-up, as far as they are loaded. */
export type SignUpRules = { password: PasswordRule; isPhone: (text: string) => boolean }

const ANYTHING: SignUpRules = { password: ANY_PASSWORD, isPhone: () => true }

/** Returns all errors of a step in the order of their messages: the specification's checks, then those of this bank. */
export function checkSignUpStep(form: SignUpForm, step: number, rules = ANYTHING): FormError<SignUpField>[] {
  const [fullName, email, phone] = [form.fullName.trim(), form.email.trim(), form.phone.trim()]
  if (step === 1) {
    return formErrors(
      fullName === '' && { field: 'fullName', code: 'fields_missing', text: t`Enter your full name` },
      email === '' && { field: 'email', code: 'fields_missing', text: t`Enter your email` },
      email !== '' && !isEmail(email) && { field: 'email', code: 'email_invalid' },
    )
  }
  if (step !== 2) return []
  return [
    ...formErrors<SignUpField>(
      phone === '' && { field: 'phone', code: 'fields_missing', text: t`Enter your phone number` },
    ),
    ...missingPasswords(form),
    ...passwordErrors(form, rules.password, { fullName, email }),
    ...formErrors<SignUpField>(phone !== '' && !rules.isPhone(phone) && { field: 'phone', code: 'phone_invalid' }),
  ]
}

/** Returns the last step that the input so far allows. Passwords are not stored, so a reload can lead to an earlier step. */
export function furthestStep(form: SignUpForm): number {
  for (let step = 1; step < SIGN_UP_STEPS; step += 1) if (checkSignUpStep(form, step).length > 0) return step
  return SIGN_UP_STEPS
}

/** The field of each refusal code that belongs to one field. */
const FIELDS: Partial<Record<ErrorCode, SignUpField>> = {
  email_invalid: 'email',
  phone_invalid: 'phone',
  password_too_short: 'password',
  password_common: 'password',
}

/** Returns the field that the bank refused, if the refusal names one. */
export function refusedField({ code, field }: { code: ErrorCode; field?: string | undefined }): SignUpField | null {
  if (field !== undefined && Object.hasOwn(STEP_OF, field)) return field as SignUpField
  return FIELDS[code] ?? null
}

export const EMPTY_SIGN_UP: SignUpForm = { fullName: '', email: '', phone: '', password: '', confirmPassword: '' }
