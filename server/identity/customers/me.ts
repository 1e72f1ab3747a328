import type { Me } from '#contract/identity.ts'
import { languageOf } from '#contract/languages.ts'
import { initialsOf } from '#contract/initials.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

/** Returns the customer's own data for the web app. */
export function meOf({ policy }: Pick<Deps, 'policy'>, customer: Customer): Me {
  const { fullName, email, role, emailConfirmed } = customer
  return {
    customer: {
      fullName,
      email,
      initials: initialsOf(fullName),
      role,
      emailConfirmed,
      language: customer.language === null ? null : languageOf(customer.language),
    },
    mode: policy.mode,
    idleSeconds: policy.idleMs === null ? null : policy.idleMs / 1000,
  }
}
