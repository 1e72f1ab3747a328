import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { afterFirstFactor, type SignedIn } from '#server/identity/sign-in/sign-in.ts'
import { type OpenCustomer, openHere, ownCustomer } from '#server/identity/sessions/visitors.ts'

/**
 * Signs in by biometrics where the browser holds no passkey: the customer who was opened in it last, or a new visitor's.
 * Throws Refusal `sign_in_required` in a bank that wants a passkey, `biometric_off` and `too_many_requests`.
 */
export async function signInWithoutPasskey(deps: Deps, client: Client, open: OpenCustomer): Promise<SignedIn> {
  if (!deps.policy.biometricWithoutPasskey) throw new Refusal('sign_in_required')
  const own = await ownCustomer(deps, client)
  if (own && !own.biometricLogin) throw new Refusal('biometric_off')
  if (own) return afterFirstFactor(deps, client, { customer: own.customer, method: 'biometric' })
  const { customer, visitor } = await openHere(deps, client, open)
  const entry = await beginSession(deps, client, { customerId: customer.id, method: 'biometric' })
  return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor }
}
