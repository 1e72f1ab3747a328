import { emailConfirmation, emailConfirmationRequest, me, signUpRequest } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { limitByAddress, sourceOf } from '#server/platform/http/rate-limit.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { clientOf, visitorIn, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { confirmEmail } from '#server/identity/email/email-confirmation.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { admit } from '#server/identity/routes/sign-in-routes.ts'
import { greetSoon, signUp } from '#server/identity/sign-in/sign-up.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** Each makes a customer and may send a mail. */
const SIGN_UPS = { name: 'sign-up', points: 60, seconds: 10 * 60 }
const CONFIRMATIONS = { name: 'confirmation', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'confirmation-link', points: 20, seconds: 60 * 60 }

const tags = ['Identity']

const postCustomer = defineRoute({
  method: 'post',
  path: '/customers',
  needs: { caller: 'anybody' },
  summary: 'Sign up',
  description:
    'Opens a customer and signs them in. The answer is the same whether or not someone has the email or phone: neither names the new customer until it is confirmed.',
  tags,
  middleware: [limitByAddress(SIGN_UPS), shareOfAddress('passwords')],
  request: { body: { required: true, content: { 'application/json': { schema: signUpRequest } } } },
  responses: { 200: { description: 'Who is signed in now', content: { 'application/json': { schema: me } } } },
})

const postConfirmation = defineRoute({
  method: 'post',
  path: '/email-confirmations',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Confirm an email with the link that was sent to it',
  description:
    "In the customer's own session the link is enough; elsewhere their password is asked for, and signs them in.",
  tags,
  middleware: [limitByAddress(CONFIRMATIONS), shareOfAddress('passwords')],
  request: { body: { required: true, content: { 'application/json': { schema: emailConfirmationRequest } } } },
  responses: {
    200: { description: 'What is confirmed now', content: { 'application/json': { schema: emailConfirmation } } },
  },
})

const postConfirmationLink = defineRoute({
  method: 'post',
  path: '/email-confirmation-links',
  needs: { key: 'none' },
  summary: 'Send the mail that confirms your email again',
  description: 'A few times an hour. Nothing is sent where the email is confirmed.',
  tags,
  responses: { 202: { description: 'A mail is on its way, if it may be' } },
})

export function signUpRoutes({ limiters }: Pick<Deps, 'limiters'>, open: OpenCustomer) {
  const limited = limitByCustomer({ limiters }, LINKS)
  return router()
    .openapi(postCustomer, async (c) => {
      const request = c.req.valid('json')
      const visitorId = request.referralCode ? ((await visitorIn(c))?.customer.id ?? null) : null
      const { customer, entry, visitor } = await signUp(c.get('deps'), clientOf(c), open, { ...request, visitorId })
      writeEntry(c, entry)
      writeVisitor(c, visitor)
      return c.json(meOf(c.get('deps'), customer), 200)
    })
    .openapi(postConfirmation, async (c) => {
      const asker = await visitorIn(c)
      const { status, signedIn } = await confirmEmail(c.get('deps'), clientOf(c), asker, c.req.valid('json'))
      if (signedIn) admit(c, signedIn)
      return c.json({ status }, 200)
    })
    .openapi(postConfirmationLink, async (c) => {
      await limited(c, async () => undefined)
      const { id, emailConfirmed } = c.get('customer')
      if (!emailConfirmed) await greetSoon(c.get('deps'), id, sourceOf(c))
      return c.body(null, 202)
    })
}
