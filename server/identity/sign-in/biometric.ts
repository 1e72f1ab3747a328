import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { afterFirstFactor, type SignedIn } from '#server/identity/sign-in/sign-in.ts'
import { type OpenCustomer, openVisitor, ownCustomer } from '#server/identity/sessions/visitors.ts'

/**
 * Signs a customer in by biometrics without a passkey. This is the customer who was last opened in the browser, or a new one.
 * Throws Refusal `sign_in_required` in a bank that requires a passkey, `biometric_off`, and the refusals of `afterFirstFactor`
 * and `openVisitor`.
 */
export async function signInWithoutPasskey(deps: Deps, client: Client, openCustomer: OpenCustomer): Promise<SignedIn> {
  if (!deps.policy.biometricWithoutPasskey) throw new Refusal('sign_in_required')
  const ownCustomerId = await ownCustomer(deps, client)
  if (ownCustomerId && !ownCustomerId.biometricLogin) throw new Refusal('biometric_off')
  if (ownCustomerId) return afterFirstFactor(deps, client, { customer: ownCustomerId.customer, method: 'biometric' })
  const { customer, visitor } = await openVisitor(deps, client, openCustomer)
  const entry = await beginSession(deps, client, { customerId: customer.id, method: 'biometric' })
  return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor }
}
