import { emailConfirmation, emailConfirmationRequest, me, signUpRequest } from '#contract/identity.ts'
import { limitByAddress, sourceOf } from '#server/platform/http/rate-limit.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { clientOf, visitorIn, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { confirmEmail } from '#server/identity/email/email-confirmation.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { admit } from '#server/identity/routes/sign-in-routes.ts'
import { greetSoon, signUp } from '#server/identity/sign-in/sign-up.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'
import { PASSWORD_REFUSALS } from '#server/identity/passwords/password-rule.ts'

/** Each makes a customer and may send a mail. */
const SIGN_UPS = { name: 'sign-up', points: 60, seconds: 10 * 60 }
const CONFIRMATIONS = { name: 'confirmation', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'confirmation-link', points: 20, seconds: 60 * 60 }

export function signUpRoutes(open: OpenCustomer) {
  return routes('Identity')
    .post(
      '/customers',
      {
        caller: 'anybody',
        refuses: ['no_new_customers', 'no_new_visitors', 'name_invalid', 'sign_in_required', ...PASSWORD_REFUSALS],
        summary: 'Sign up',
        description:
          'Opens a customer and signs them in. The answer is the same whether or not someone has the email or phone: neither names the new customer until it is confirmed.',
        middleware: [limitByAddress(SIGN_UPS), shareOfAddress('passwords')],
        body: signUpRequest,
        response: me,
        responseDescription: 'Who is signed in now',
      },
      async (c) => {
        const request = c.body
        const visitorId = request.referralCode ? ((await visitorIn(c.http))?.customer.id ?? null) : null
        const { customer, entry, visitor } = await signUp(c.deps, clientOf(c.http), open, { ...request, visitorId })
        writeEntry(c.http, entry)
        writeVisitor(c.http, visitor)
        return meOf(c.deps, customer)
      },
    )
    .post(
      '/email-confirmations',
      {
        caller: 'anybody',
        key: 'none',
        refuses: ['link_invalid', 'credentials_wrong'],
        summary: 'Confirm an email with the link that was sent to it',
        description:
          "In the customer's own session the link is enough; elsewhere their password is asked for, and signs them in.",
        middleware: [limitByAddress(CONFIRMATIONS), shareOfAddress('passwords')],
        body: emailConfirmationRequest,
        response: emailConfirmation,
        responseDescription: 'What is confirmed now',
      },
      async (c) => {
        const asker = await visitorIn(c.http)
        const { status, signedIn } = await confirmEmail(c.deps, clientOf(c.http), asker, c.body)
        if (signedIn) admit(c.http, signedIn)
        return { status }
      },
    )
    .post(
      '/email-confirmation-links',
      {
        key: 'none',
        summary: 'Send the mail that confirms your email again',
        description: 'A few times an hour. Nothing is sent where the email is confirmed.',
        responses: { 202: { description: 'A mail is on its way, if it may be' } },
      },
      async (c) => {
        await countCustomer(c.http, LINKS)
        const { id, emailConfirmed } = c.customer
        if (!emailConfirmed) await greetSoon(c.deps, id, sourceOf(c.http))
        return c.http.body(null, 202)
      },
    )
}
