import { createRoute } from '@hono/zod-openapi'
import { Refusal } from '#contract/errors.ts'
import { type Me, me } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { runOn } from '#server/db/run.ts'
import { limitByAddress } from '#server/http/rate-limit.ts'
import { router } from '#server/http/router.ts'
import { beginSession, clearSessionCookie, sessionIn, visitorIn } from '#server/http/session.ts'
import { type Customer, initialsOf } from '#server/identity/customers.ts'
import { endSession } from '#server/identity/sessions.ts'

/** New sample customers one address may open, so that nobody fills the database by asking. */
export const VISITS = { name: 'visit', points: 60, seconds: 60 }

const meResponse = { description: 'The customer', content: { 'application/json': { schema: me } } }

const visit = createRoute({
  method: 'post',
  path: '/session/visit',
  summary: 'Begin as a visitor',
  description:
    'Answers the customer who is signed in. In sample mode a visitor without a session is given a sample customer of their own.',
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

export function meOf({ policy }: Pick<Bank, 'policy'>, { fullName, email, role, emailConfirmed }: Customer): Me {
  return {
    customer: { fullName, email, initials: initialsOf(fullName), role, emailConfirmed },
    mode: policy.mode,
    idleSeconds: policy.idleMs === null ? null : policy.idleMs / 1000,
  }
}

export type IdentityOptions = {
  /** Makes a sample customer with the whole sample story (server/sample). */
  openSampleCustomer: (bank: Bank) => Promise<Customer>
}

export function identityRoutes({ pool }: Pick<Bank, 'pool'>, { openSampleCustomer }: IdentityOptions) {
  const limited = limitByAddress({ pool }, VISITS)
  return router()
    .openapi(visit, async (c) => {
      const bank = c.get('bank')
      const known = await visitorIn(c)
      if (known) return c.json(meOf(bank, known.customer), 200)
      if (!bank.policy.visitorsGetSampleCustomer) throw new Refusal('sign_in_required')
      await limited(c, async () => undefined)
      const customer = await openSampleCustomer(bank)
      await beginSession(c, customer.id, 'visit')
      return c.json(meOf(bank, customer), 200)
    })
    .openapi(signOut, async (c) => {
      const session = sessionIn(c)
      if (session) await endSession(runOn(c.get('bank').pool), session)
      clearSessionCookie(c)
      return c.body(null, 204)
    })
    .openapi(readMe, (c) => c.json(meOf(c.get('bank'), c.get('customer')), 200))
}
