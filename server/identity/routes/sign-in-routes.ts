import type { Context } from 'hono'
import { signInRequest, type SignInResponse, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress } from '#server/platform/http/rate-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { clientOf, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { signInWithoutPasskey } from '#server/identity/sign-in/biometric.ts'
import { type SignedIn, signIn } from '#server/identity/sign-in/sign-in.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** Generous, for many people may share an address; what guards a password is its lock. */
const SIGN_INS = { name: 'sign-in', points: 120, seconds: 60 }

/** Hands the browser what signing in has come to, and answers what the page is told. */
export function admit(c: Context<ApiEnv>, { response, entry, visitor }: SignedIn): SignInResponse {
  if (entry) writeEntry(c, entry)
  writeVisitor(c, visitor)
  return response
}

export function signInRoutes(open: OpenCustomer) {
  return routes('Identity')
    .post(
      '/session',
      {
        caller: 'anybody',
        key: 'none',
        refuses: ['credentials_wrong', 'step_ended', 'no_new_visitors'],
        summary: 'Sign in with email and password',
        description:
          'Five failures lock the password of an email for 15 minutes, whoever has it or nobody; devices that have signed in with it before are counted apart. In sample mode an email that nobody has opens a new sample customer with that password.',
        middleware: [limitByAddress(SIGN_INS), shareOfAddress('passwords')],
        body: signInRequest,
        response: signInResponse,
        responseDescription: 'Who is signed in now, or what the second factor has to be sent with',
      },
      async (c) => admit(c.http, await signIn(c.deps, clientOf(c.http), open, c.body)),
    )
    .post(
      '/session/biometric',
      {
        caller: 'anybody',
        key: 'none',
        refuses: ['biometric_off', 'sign_in_required', 'no_new_visitors'],
        summary: 'Sign in by biometrics, where the browser holds no passkey',
        description:
          "Sample mode alone: signs in the customer who was opened in this browser last, or a new visitor's.",
        middleware: limitByAddress(SIGN_INS),
        response: signInResponse,
        responseDescription: 'Who is signed in now, or what the second factor has to be sent with',
      },
      async (c) => admit(c.http, await signInWithoutPasskey(c.deps, clientOf(c.http), open)),
    )
}
