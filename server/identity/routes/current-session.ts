import { currentSession } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { meOf } from '#server/identity/customers/me.ts'

/** The session for public pages. The route works without a session and creates no sample customer. */
export const currentSessionRoutes = routes('Identity').get(
  '/session',
  {
    caller: 'anybody',
    summary: 'The signed-in customer, if any, and the ways to sign in',
    response: currentSession,
    responseDescription: 'As of now',
  },
  async (c) => {
    const { policy } = c.deps
    const visitor = await visitorIn(c.http)
    return {
      me: visitor && meOf({ policy }, visitor.customer),
      signInRequired: !policy.visitorsGetSampleCustomer,
      biometricWithoutPasskey: policy.biometricWithoutPasskey,
      mailboxPage: policy.mailboxPage,
      passwordMinLength: policy.password.minLength,
      commonPasswordsRefused: policy.password.commonRefused,
    }
  },
)
