import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Whether a customer has to verify their identity before they borrow. */
export function mustVerify({ policy }: Pick<Deps, 'policy'>, { verified }: Pick<Customer, 'verified'>): boolean {
  return policy.unverifiedLimits !== null && !verified
}

/** Throws Refusal `verification_required`. */
export function checkVerified(deps: Pick<Deps, 'policy'>, customer: Pick<Customer, 'verified'>): void {
  if (mustVerify(deps, customer)) throw new Refusal('verification_required')
}
