import { currentSession } from '#contract/identity.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { meOf } from '#server/identity/customers/me.ts'

const readSession = defineRoute({
  method: 'get',
  path: '/session',
  needs: { caller: 'anybody' },
  summary: 'Who is signed in, if anybody, and how getting in works here',
  tags: ['Identity'],
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: currentSession } } } },
})

/** For the public pages: answers without a session, and opens no sample customer. */
export const currentSessionRoutes = router().openapi(readSession, async (c) => {
  const { policy } = c.get('deps')
  const visitor = await visitorIn(c)
  return c.json(
    {
      me: visitor && meOf({ policy }, visitor.customer),
      signInRequired: !policy.visitorsGetSampleCustomer,
      biometricWithoutPasskey: policy.biometricWithoutPasskey,
      mailboxPage: policy.mailboxPage,
      passwordMinLength: policy.password.minLength,
      commonPasswordsRefused: policy.password.commonRefused,
    },
    200,
  )
})
