import type { Context } from 'hono'
import { signInRequest, type SignInResponse, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress } from '#server/platform/http/rate-limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { clientOf, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { signInWithoutPasskey } from '#server/identity/sign-in/biometric.ts'
import { type SignedIn, signIn } from '#server/identity/sign-in/sign-in.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** Generous, for many people may share an address; what guards a password is its lock. */
const SIGN_INS = { name: 'sign-in', points: 120, seconds: 60 }

const answered = {
  200: {
    description: 'Who is signed in now, or what the second factor has to be sent with',
    content: { 'application/json': { schema: signInResponse } },
  },
}

const postSession = defineRoute({
  method: 'post',
  path: '/session',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Sign in with email and password',
  description:
    'Five failures lock the password of an email for 15 minutes, whoever has it or nobody; devices that have signed in with it before are counted apart. In sample mode an email that nobody has opens a new sample customer with that password.',
  tags: ['Identity'],
  middleware: [limitByAddress(SIGN_INS), shareOfAddress('passwords')],
  request: { body: { required: true, content: { 'application/json': { schema: signInRequest } } } },
  responses: answered,
})

const postBiometric = defineRoute({
  method: 'post',
  path: '/session/biometric',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Sign in by biometrics, where the browser holds no passkey',
  description: "Sample mode alone: signs in the customer who was opened in this browser last, or a new visitor's.",
  tags: ['Identity'],
  middleware: limitByAddress(SIGN_INS),
  responses: answered,
})

/** Hands the browser what signing in has come to, and answers what the page is told. */
export function admit(c: Context<ApiEnv>, { response, entry, visitor }: SignedIn): SignInResponse {
  if (entry) writeEntry(c, entry)
  writeVisitor(c, visitor)
  return response
}

export function signInRoutes(open: OpenCustomer) {
  return router()
    .openapi(postSession, async (c) => {
      return c.json(admit(c, await signIn(c.get('deps'), clientOf(c), open, c.req.valid('json'))), 200)
    })
    .openapi(postBiometric, async (c) => {
      return c.json(admit(c, await signInWithoutPasskey(c.get('deps'), clientOf(c), open)), 200)
    })
}
