import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import { signInRequest, type SignInResponse, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress } from '#server/platform/http/rate-limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { beginSession } from '#server/identity/access/session.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { afterFirstFactor, signIn } from '#server/identity/sign-in/sign-in.ts'
import { type OpenCustomer, openHere, ownCustomer } from '#server/identity/sessions/visitors.ts'

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
    'Five failures lock the password of an email for 15 minutes, whoever has it or nobody. In sample mode an email that nobody has opens a new sample customer with that password.',
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

async function signInByBiometrics(c: Context<ApiEnv>, open: OpenCustomer): Promise<SignInResponse> {
  const deps = c.get('deps')
  if (!deps.policy.biometricWithoutPasskey) throw new Refusal('sign_in_required')
  const own = await ownCustomer(c)
  if (own && !own.biometricLogin) throw new Refusal('biometric_off')
  if (own) return afterFirstFactor(c, own.customer, 'biometric')
  const customer = await openHere(c, open)
  await beginSession(c, customer.id, 'biometric')
  return { status: 'signed_in', me: meOf(deps, customer) }
}

export function signInRoutes(open: OpenCustomer) {
  return router()
    .openapi(postSession, async (c) => c.json(await signIn(c, open, c.req.valid('json')), 200))
    .openapi(postBiometric, async (c) => c.json(await signInByBiometrics(c, open), 200))
}
