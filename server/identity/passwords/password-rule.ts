import { Refusal } from '#contract/errors.ts'
import { isCommonPassword, MAX_SPELLINGS, type PasswordMeter, passwordLength } from '#contract/passwords.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

let loading: Promise<PasswordMeter> | undefined

/** Loads the lists of common passwords on the first call. The first call is therefore slow. */
export function passwordMeter(): Promise<PasswordMeter> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }]) =>
      new ZxcvbnFactory({ dictionary, graphs, l33tMaxSubstitutions: MAX_SPELLINGS }),
  )
  return loading
}

export const PASSWORD_REFUSALS = ['password_too_short', 'password_common'] as const

/**
 * Checks a new password of a person. Throws Refusal `password_too_short` (length in code points), or `password_common` if the
 * password is easy to guess or contains the person's name or email.
 */
export async function checkNewPassword(
  { policy }: Pick<Deps, 'policy'>,
  password: string,
  person: Pick<Customer, 'fullName' | 'email'>,
): Promise<void> {
  if (passwordLength(password) < policy.password.minLength) throw new Refusal('password_too_short', 'password')
  if (!policy.password.commonRefused) return
  const meter = await passwordMeter()
  if (isCommonPassword(meter, password, person)) throw new Refusal('password_common', 'password')
}
