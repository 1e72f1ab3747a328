import type { Deps } from '#server/platform/deps.ts'
import { createSession } from '#server/identity/sessions/sessions.ts'

/** Returns the cookie of a browser in which the customer has just signed in with their password. */
export async function signInCookie(deps: Deps, customerId: string): Promise<string> {
  const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'this_computer' } as const
  const { token } = await createSession(deps, deps.db, { customerId, caller, method: 'password' })
  return `${deps.cookies.session}=${token}`
}
