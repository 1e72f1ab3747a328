import { emailConfirmation, emailConfirmationRequest, me, signUpRequest } from '#contract/identity.ts'
import { limitByAddress, networkKeyOf } from '#server/platform/http/rate-limit.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { limitConcurrencyByAddress } from '#server/platform/http/concurrency-limit.ts'
import { clientOf, visitorIn, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { confirmEmail } from '#server/identity/email/email-confirmation.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { answerSignIn } from '#server/identity/routes/sign-in-routes.ts'
import { enqueueGreeting, signUp } from '#server/identity/sign-in/sign-up.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'
import { PASSWORD_REFUSALS } from '#server/identity/passwords/password-rule.ts'

/** The limits per address. Each sign-up creates a customer and may send a mail. Each confirmation may compare a password. */
const SIGN_UPS = { name: 'sign-up', points: 60, seconds: 10 * 60 }
const CONFIRMATIONS = { name: 'confirmation', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'confirmation-link', points: 20, seconds: 60 * 60 }

export function signUpRoutes(openCustomer: OpenCustomer) {
  return routes('Identity')
    .post(
      '/customers',
      {
        caller: 'anybody',
        refuses: ['no_new_customers', 'no_new_visitors', 'name_invalid', 'sign_in_required', ...PASSWORD_REFUSALS],
        summary: 'Sign up',
        description:
          'Opens a customer and signs them in. The response is the same whether or not another customer has the email or phone. Other people find the new customer by email or phone only after confirmation.',
        middleware: [limitByAddress(SIGN_UPS), limitConcurrencyByAddress('passwords')],
        body: signUpRequest,
        response: me,
        responseDescription: 'The signed-in customer',
      },
      async (c) => {
        const request = c.body
        const visitorId = request.referralCode ? ((await visitorIn(c.http))?.customer.id ?? null) : null
        const { customer, entry, visitor } = await signUp(c.deps, clientOf(c.http), openCustomer, {
          ...request,
          visitorId,
        })
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
          "In the customer's own session the link is enough. In any other browser their password is required, and signs them in.",
        middleware: [limitByAddress(CONFIRMATIONS), limitConcurrencyByAddress('passwords')],
        body: emailConfirmationRequest,
        response: emailConfirmation,
        responseDescription: 'The result of the confirmation',
      },
      async (c) => {
        const requester = await visitorIn(c.http)
        const { status, signedIn } = await confirmEmail(c.deps, clientOf(c.http), requester, c.body)
        if (signedIn) answerSignIn(c.http, signedIn)
        return { status }
      },
    )
    .post(
      '/email-confirmation-links',
      {
        key: 'none',
        summary: 'Send the mail that confirms your email again',
        description: 'Limited to a few times an hour. If the email is already confirmed, no mail is sent.',
        responses: { 202: { description: 'A mail is on its way unless a limit was reached' } },
      },
      async (c) => {
        await countCustomer(c.http, LINKS)
        const { id, emailConfirmed } = c.customer
        if (!emailConfirmed) await enqueueGreeting(c.deps, id, networkKeyOf(c.http))
        return c.http.body(null, 202)
      },
    )
}
