import { t } from '@lingui/core/macro'
import type { ErrorCode } from '#contract/errors.ts'
import type { SignUpRequest } from '#contract/identity.ts'
import {
  ANY_PASSWORD,
  missingPasswords,
  passwordFaults,
  type PasswordRule,
} from '#web/identity/password/password-rule.ts'
import { isEmail } from '#web/lib/address.ts'
import { type Fault, faults } from '#web/lib/form.ts'

export type SignUpForm = Omit<SignUpRequest, 'referralCode'> & { confirmPassword: string }
export type SignUpField = keyof SignUpForm

export const STEPS = 3

/** The step that asks for each field. */
export const STEP_OF = {
  fullName: 1,
  email: 1,
  phone: 2,
  password: 2,
  confirmPassword: 2,
} as const satisfies Record<SignUpField, number>

/** The parameter of the address by which a friend's code comes. */
const REFERRAL = 'ref'
const LONGEST_REFERRAL = 40

/** The friend's code in an address; what cannot be one is left out, so that it keeps nobody from signing up. */
export function referralIn(search: string): Pick<SignUpRequest, 'referralCode'> {
  const referralCode = new URLSearchParams(search).get(REFERRAL)?.trim()
  return referralCode && referralCode.length <= LONGEST_REFERRAL ? { referralCode } : {}
}

/** What this bank asks for, as far as it is known. */
export type Rules = { password: PasswordRule; isPhone: (text: string) => boolean }

const ANYTHING: Rules = { password: ANY_PASSWORD, isPhone: () => true }

/** All that is wrong with a step, in the order in which it is said: the spec's checks, then those of this bank. */
export function check(form: SignUpForm, step: number, rules = ANYTHING): Fault<SignUpField>[] {
  const [fullName, email, phone] = [form.fullName.trim(), form.email.trim(), form.phone.trim()]
  if (step === 1) {
    return faults(
      fullName === '' && { field: 'fullName', code: 'fields_missing', text: t`Enter your full name` },
      email === '' && { field: 'email', code: 'fields_missing', text: t`Enter your email` },
      email !== '' && !isEmail(email) && { field: 'email', code: 'email_invalid' },
    )
  }
  if (step !== 2) return []
  return [
    ...faults<SignUpField>(
      phone === '' && { field: 'phone', code: 'fields_missing', text: t`Enter your phone number` },
    ),
    ...missingPasswords(form),
    ...passwordFaults(form, rules.password, { fullName, email }),
    ...faults<SignUpField>(phone !== '' && !rules.isPhone(phone) && { field: 'phone', code: 'phone_invalid' }),
  ]
}

/** The furthest step that the input so far allows; after a reload it has to be typed again. */
export function furthestStep(form: SignUpForm): number {
  for (let step = 1; step < STEPS; step += 1) if (check(form, step).length > 0) return step
  return STEPS
}

/** Refusals that say which field they are about by their code alone. */
const FIELDS: Partial<Record<ErrorCode, SignUpField>> = {
  email_invalid: 'email',
  phone_invalid: 'phone',
  password_too_short: 'password',
  password_common: 'password',
}

/** The field that the bank refused, if it was one. */
export function refusedField({ code, field }: { code: ErrorCode; field?: string | undefined }): SignUpField | null {
  if (field !== undefined && Object.hasOwn(STEP_OF, field)) return field as SignUpField
  return FIELDS[code] ?? null
}

export const EMPTY: SignUpForm = { fullName: '', email: '', phone: '', password: '', confirmPassword: '' }
