import type { Context } from 'hono'
import { signInRequest, type SignInResponse, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress } from '#server/platform/http/rate-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { limitConcurrencyByAddress } from '#server/platform/http/concurrency-limit.ts'
import { clientOf, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { signInWithoutPasskey } from '#server/identity/sign-in/biometric.ts'
import { type SignedIn, signIn } from '#server/identity/sign-in/sign-in.ts'
import type { OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** The limit is generous because many people may share an address. The password lock protects each password. */
const SIGN_INS = { name: 'sign-in', points: 120, seconds: 60 }

/** Sets the cookies after a sign-in and returns the response for the page. */
export function answerSignIn(c: Context<ApiEnv>, { response, entry, visitor }: SignedIn): SignInResponse {
  if (entry) writeEntry(c, entry)
  writeVisitor(c, visitor)
  return response
}

export function signInRoutes(openCustomer: OpenCustomer) {
  return routes('Identity')
    .post(
      '/session',
      {
        caller: 'anybody',
        key: 'none',
        refuses: ['credentials_wrong', 'step_ended', 'no_new_visitors'],
        summary: 'Sign in with email and password',
        description:
          'Five failures lock the password of an email for 15 minutes, whether or not a customer has the email. Devices that have signed in with it before have a separate count. In sample mode, an unknown email opens a new sample customer with that password.',
        middleware: [limitByAddress(SIGN_INS), limitConcurrencyByAddress('passwords')],
        body: signInRequest,
        response: signInResponse,
        responseDescription: 'The signed-in customer, or the one-time token for the second factor',
      },
      async (c) => answerSignIn(c.http, await signIn(c.deps, clientOf(c.http), openCustomer, c.body)),
    )
    .post(
      '/session/biometric',
      {
        caller: 'anybody',
        key: 'none',
        refuses: ['biometric_off', 'sign_in_required', 'no_new_visitors'],
        summary: 'Sign in by biometrics without a passkey',
        description:
          'Sample mode only. Signs in the last customer that was opened in this browser, or a new sample customer.',
        middleware: limitByAddress(SIGN_INS),
        response: signInResponse,
        responseDescription: 'The signed-in customer, or the one-time token for the second factor',
      },
      async (c) => answerSignIn(c.http, await signInWithoutPasskey(c.deps, clientOf(c.http), openCustomer)),
    )
}
