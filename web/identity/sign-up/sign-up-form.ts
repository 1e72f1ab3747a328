import type { ErrorCode } from '#contract/errors.ts'
import type { SignUpRequest } from '#contract/identity.ts'

export type SignUpForm = SignUpRequest & { confirmPassword: string }
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

const isPassword = (field: SignUpField): boolean => field === 'password' || field === 'confirmPassword'

/** The fields of a step that have nothing in them. A password may well be made of spaces. */
function emptyFields(form: SignUpForm, step: number): SignUpField[] {
  const fields = Object.keys(STEP_OF) as SignUpField[]
  return fields.filter(
    (field) => STEP_OF[field] === step && (isPassword(field) ? form[field] : form[field].trim()) === '',
  )
}

/**
 * What is wrong with a step, in the order it is checked, and the fields it is about. `minLength`: the characters that
 * the bank asks of a password at least, counted as it counts them; nobody is led on to be sent back for that.
 */
export function validate(
  form: SignUpForm,
  step: number,
  minLength = 0,
): { code: ErrorCode; fields: SignUpField[] } | null {
  const empty = emptyFields(form, step)
  if (empty.length > 0) return { code: 'fields_missing', fields: empty }
  if (step === STEP_OF.password && form.password !== form.confirmPassword)
    return { code: 'passwords_differ', fields: ['confirmPassword'] }
  if (step === STEP_OF.password && Array.from(form.password).length < minLength)
    return { code: 'password_too_short', fields: ['password'] }
  return null
}

/** The furthest step that the input so far allows; after a reload it has to be typed again. */
export function furthestStep(form: SignUpForm): number {
  for (let step = 1; step < STEPS; step += 1) if (validate(form, step)) return step
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

/** What survives a reload; passwords are kept nowhere. */
type Draft = Pick<SignUpForm, 'fullName' | 'email' | 'phone'>

const KEY = 'alder.sign-up'
const NOTHING: Draft = { fullName: '', email: '', phone: '' }

export function readDraft(): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Draft, unknown>>
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return { fullName: text(kept.fullName), email: text(kept.email), phone: text(kept.phone) }
  } catch {
    return NOTHING
  }
}

export function keepDraft({ fullName, email, phone }: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ fullName, email, phone }))
  } catch {
    // Without storage a reload begins anew.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was kept.
  }
}
