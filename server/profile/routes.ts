import { dayOf } from '#server/platform/days.ts'
import { z } from '@hono/zod-openapi'
import { closureRequest, preferenceChange, profile, profileChange } from '#contract/profile.ts'
import type { Deps } from '#server/platform/deps.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { shareUntilRead } from '#server/platform/http/share.ts'
import { clearSessionCookie } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { readDetails } from '#server/profile/details.ts'
import { exportOf } from '#server/profile/export.ts'
import { changePreferences, changeProfile, movesContact, readProfile } from '#server/profile/service.ts'

const tags = ['Profile']

/** Each change of the email writes to an address of the customer's choice: so often in an hour for one customer. */
const EMAIL_CHANGES = { name: 'email-change', points: 10, seconds: 60 * 60 }

/** Each change is written down for good: so many in an hour for one customer. */
const CHANGES = { name: 'profile-change', points: 60, seconds: 60 * 60 }

/** Each reads everything that the bank holds about a customer. */
const EXPORTS = { name: 'export', points: 20, seconds: 60 * 60 }

const profileResponse = (description: string) => ({
  200: { description, content: { 'application/json': { schema: profile } } },
})

const getProfile = defineRoute({
  method: 'get',
  path: '/profile',
  summary: 'What you told the bank about yourself',
  tags,
  responses: profileResponse('As it stands'),
})

const patchProfile = defineRoute({
  method: 'patch',
  path: '/profile',
  summary: 'Change what you told the bank about yourself',
  description:
    'What is left out stays. Another email waits until a link in a mail to each of the two addresses was opened; sending the present one calls that off. A change of email or phone asks for a fresh proof.',
  tags,
  parameters: [stepUpParameter],
  request: { body: { required: true, content: { 'application/json': { schema: profileChange } } } },
  responses: profileResponse('As it stands now'),
})

const patchPreferences = defineRoute({
  method: 'patch',
  path: '/preferences',
  summary: 'Choose what you want to hear of, and in which language',
  description:
    'Without `notifications` the bank tells only of your security and identity; without `transactionAlerts` of everything but money.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: preferenceChange } } } },
  responses: profileResponse('As it stands now'),
})

const getExport = defineRoute({
  method: 'get',
  path: '/profile/export',
  needs: { load: 'slow', leavesRows: true },
  summary: 'Everything the bank holds about you',
  description: 'A file to keep. What would open something (digests, keys, tokens of links) is left out.',
  tags,
  parameters: [stepUpParameter],
  responses: {
    200: {
      description: 'All of it',
      content: { 'application/json': { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
    },
  },
})

const postClosure = defineRoute({
  method: 'post',
  path: '/profile/closure',
  needs: { key: 'none' },
  summary: 'Close your account for good',
  description: 'Once all your money is out and none is on its way.',
  tags,
  parameters: [stepUpParameter],
  request: { body: { required: true, content: { 'application/json': { schema: closureRequest } } } },
  responses: { 204: { description: 'It is closed, and you are signed out everywhere' } },
})

export function profileRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limited = limitByCustomer({ limiters }, EMAIL_CHANGES)
  const limitChanges = limitByCustomer({ limiters }, CHANGES)
  const limitExports = limitByCustomer({ limiters }, EXPORTS)
  return router()
    .openapi(getProfile, async (c) => c.json(await readProfile(c.get('deps'), c.get('customer').id), 200))
    .openapi(patchProfile, async (c) => {
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const today = Temporal.PlainDate.from(dayOf(deps.clock.businessNow()))
      const details = readDetails(c.req.valid('json'), { phone: customer.phone, today })
      if (movesContact(customer, details)) await requireStepUp(c)
      await limitChanges(c, async () => undefined)
      if (details.email !== undefined && details.email !== customer.email) {
        await limited(c, async () => undefined)
      }
      return c.json(await changeProfile(deps, customer, details, callerOf(c)), 200)
    })
    .openapi(patchPreferences, async (c) => {
      return c.json(await changePreferences(c.get('deps'), c.get('customer').id, c.req.valid('json')), 200)
    })
    .openapi(getExport, async (c) => {
      await requireStepUp(c)
      await limitExports(c, async () => undefined)
      await shareUntilRead(c, 'exports', c.get('customer').id)
      const [deps, customer, session] = [c.get('deps'), c.get('customer'), c.get('session')]
      const event = { customerId: customer.id, kind: 'data_downloaded', caller: callerOf(c) } as const
      await recordSecurityEvent(deps, deps.db, event)
      const file = c.body(exportOf(deps, { customerId: customer.id, session }), 200, {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="alder-data.json"',
      })
      // Typed as one JSON value, which is never held.
      return file as never
    })
    .openapi(postClosure, async (c) => {
      await requireStepUp(c)
      await closeCustomer(c.get('deps'), c.get('customer'), callerOf(c))
      clearSessionCookie(c)
      return c.body(null, 204)
    })
}
