import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Whether the bank must verify a customer's identity before the customer trades or borrows. */
export function mustVerify({ policy }: Pick<Deps, 'policy'>, { verified }: Pick<Customer, 'verified'>): boolean {
  return policy.unverifiedLimits !== null && !verified
}

/** Throws Refusal `verification_required` if the bank must first verify the customer's identity. */
export function checkVerified(deps: Pick<Deps, 'policy'>, customer: Pick<Customer, 'verified'>): void {
  if (mustVerify(deps, customer)) throw new Refusal('verification_required')
}
