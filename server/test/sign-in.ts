import type { Bank } from '#server/bank.ts'
import { runOn } from '#server/db/run.ts'
import { sessionCookieName } from '#server/http/session.ts'
import { createSession } from '#server/identity/sessions.ts'

/** The cookie of a browser in which the customer has just signed in with their password. */
export async function signInCookie(bank: Bank, customerId: string): Promise<string> {
  const caller = { device: 'Test browser', place: 'this_computer' } as const
  const { token } = await createSession(bank, runOn(bank.pool), { customerId, caller, method: 'password' })
  return `${sessionCookieName(bank.config)}=${token}`
}
