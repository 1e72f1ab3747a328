import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import { me } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction } from '#server/db/run.ts'
import { callerOf } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'
import { countAddress } from '#server/http/rate-limit.ts'
import { router } from '#server/http/router.ts'
import { beginSession, clearSessionCookie, visitorIn } from '#server/http/session.ts'
import type { Customer } from '#server/identity/customers.ts'
import { meOf } from '#server/identity/me.ts'
import { passwordMeter } from '#server/identity/password-rule.ts'
import { passwordRoutes } from '#server/identity/password-routes.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { endSession } from '#server/identity/sessions.ts'
import { signInRoutes } from '#server/identity/sign-in-routes.ts'
import { signUpRoutes } from '#server/identity/sign-up-routes.ts'
import { type OpenCustomer, openHere, ownCustomer, VISITS } from '#server/identity/visitors.ts'

const meResponse = { description: 'The customer', content: { 'application/json': { schema: me } } }

const visit = createRoute({
  method: 'post',
  path: '/session/visit',
  summary: 'Begin as a visitor',
  description:
    'Answers the customer who is signed in. In sample mode a visitor without a session is given a sample customer of their own, the same one as long as they have chosen nothing to sign in with.',
  tags: ['Identity'],
  security: [],
  responses: { 200: meResponse },
})

const signOut = createRoute({
  method: 'delete',
  path: '/session',
  summary: 'Sign out',
  tags: ['Identity'],
  security: [],
  responses: { 204: { description: 'No session is left' } },
})

const readMe = createRoute({
  method: 'get',
  path: '/me',
  summary: 'Who is signed in',
  tags: ['Identity'],
  responses: { 200: meResponse },
})

/** Who somebody without a session is. Whom the browser remembers it goes on remembering, even if coming is not enough to be them. */
async function comeAgain(c: Context<BankEnv>, open: OpenCustomer): Promise<Customer> {
  const own = await ownCustomer(c)
  if (!own) return openHere(c, open)
  await countAddress(c, VISITS)
  return own.hasCredential ? open(c.get('bank')) : own.customer
}

export type IdentityOptions = { openCustomer: OpenCustomer }

export function identityRoutes({ pool, policy }: Pick<Bank, 'pool' | 'policy'>, { openCustomer }: IdentityOptions) {
  // Read before anybody waits for it.
  if (policy.password.commonRefused) void passwordMeter()
  return router()
    .openapi(visit, async (c) => {
      const bank = c.get('bank')
      const known = await visitorIn(c)
      if (known) return c.json(meOf(bank, known.customer), 200)
      if (!bank.policy.visitorsGetSampleCustomer) throw new Refusal('sign_in_required')
      const customer = await comeAgain(c, openCustomer)
      await beginSession(c, customer.id, 'visit')
      return c.json(meOf(bank, customer), 200)
    })
    .openapi(signOut, async (c) => {
      const bank = c.get('bank')
      const leaver = await visitorIn(c)
      if (leaver) {
        await inTransaction(bank.db, async (_trx, run) => {
          await endSession(run, leaver.session)
          const event = { customerId: leaver.customer.id, kind: 'signed_out', caller: callerOf(c) } as const
          await recordSecurityEvent(bank, run, event)
        })
      }
      clearSessionCookie(c)
      return c.body(null, 204)
    })
    .openapi(readMe, (c) => c.json(meOf(c.get('bank'), c.get('customer')), 200))
    .route('/', signInRoutes(openCustomer))
    .route('/', signUpRoutes({ pool }, openCustomer))
    .route('/', passwordRoutes({ pool }))
}
