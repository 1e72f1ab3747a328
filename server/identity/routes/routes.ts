import { Refusal } from '#contract/errors.ts'
import { me } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { countNetwork } from '#server/platform/http/rate-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { clearSessionCookie, clientOf, visitorIn, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { passwordMeter } from '#server/identity/passwords/password-rule.ts'
import { phoneRoutes } from '#server/identity/routes/phone-routes.ts'
import { passwordRoutes } from '#server/identity/routes/password-routes.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { endSession } from '#server/identity/sessions/sessions.ts'
import { signInRoutes } from '#server/identity/routes/sign-in-routes.ts'
import { signUpRoutes } from '#server/identity/routes/sign-up-routes.ts'
import {
  admitNewcomer,
  type OpenCustomer,
  type OpenedCustomer,
  openVisitor,
  ownCustomer,
  VISIT_LIMIT,
} from '#server/identity/sessions/visitors.ts'

/**
 * Finds the browser's own sample customer, or opens a new one for a browser that has none. If the own customer has credentials,
 * the visitor gets a new customer, and the browser keeps the cookie of its own customer.
 */
async function comeAgain(deps: Deps, client: Client, openCustomer: OpenCustomer): Promise<OpenedCustomer> {
  const customer = await ownCustomer(deps, client)
  if (!customer) return openVisitor(deps, client, openCustomer)
  await countNetwork(deps, client, VISIT_LIMIT)
  if (!customer.hasCredential) return { customer: customer.customer, visitor: null }
  await admitNewcomer(deps, client)
  return { customer: await openCustomer(deps, client), visitor: null }
}

export type IdentityOptions = { openCustomer: OpenCustomer }

export function identityRoutes({ policy }: Pick<Deps, 'policy'>, { openCustomer }: IdentityOptions) {
  // Loads the word lists at start, before the first request needs them.
  if (policy.password.commonRefused) void passwordMeter()
  return routes('Identity')
    .post(
      '/session/visit',
      {
        caller: 'anybody',
        refuses: ['no_new_visitors', 'sign_in_required'],
        summary: 'Begin as a visitor',
        description:
          'Returns the signed-in customer. In sample mode, a visitor without a session gets a sample customer of their own. They get the same one again until they set up a password, a passkey or a second factor.',
        response: me,
        responseDescription: 'The customer',
      },
      async (c) => {
        const deps = c.deps
        const currentVisitor = await visitorIn(c.http)
        if (currentVisitor) return meOf(deps, currentVisitor.customer)
        if (!deps.policy.visitorsGetSampleCustomer) throw new Refusal('sign_in_required')
        const client = clientOf(c.http)
        const { customer, visitor } = await comeAgain(deps, client, openCustomer)
        writeEntry(c.http, await beginSession(deps, client, { customerId: customer.id, method: 'visit' }))
        writeVisitor(c.http, visitor)
        return meOf(deps, customer)
      },
    )
    .delete('/session', { caller: 'anybody', summary: 'Sign Out' }, async (c) => {
      const deps = c.deps
      const leaver = await visitorIn(c.http)
      if (leaver) {
        await inTransaction(deps.db, async (trx) => {
          await endSession(trx, leaver.session)
          const event = { customerId: leaver.customer.id, kind: 'signed_out', caller: callerOf(c.http) } as const
          await recordSecurityEvent(deps, trx, event)
        })
      }
      clearSessionCookie(c.http)
    })
    .get('/me', { summary: 'The signed-in customer', response: me, responseDescription: 'The customer' }, (c) =>
      meOf(c.deps, c.customer),
    )
    .mount(signInRoutes(openCustomer))
    .mount(signUpRoutes(openCustomer))
    .mount(passwordRoutes)
    .mount(phoneRoutes)
}
