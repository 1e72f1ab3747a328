import type { Context } from 'hono'
import {
  recoveryCodes,
  secondFactorRequest,
  signInResponse,
  twoFactorRequest,
  twoFactorSetup,
} from '#contract/identity.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { routes } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import type { Changer } from '#server/identity/sessions/credentials.ts'
import { signInWithCode } from '#server/identity/sign-in/second-factor.ts'
import { answerSignIn } from '#server/identity/routes/sign-in-routes.ts'
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#server/identity/two-factor/two-factor.ts'

/** Returns the customer, the device and the session that change a credential. */
export function changerOf(c: Context<ApiEnv>): Changer {
  return { customer: c.get('customer'), caller: callerOf(c), session: c.get('session') }
}

export const twoFactorRoutes = routes('Identity')
  // The customer proves their identity before the set-up and not again with the first code. The one-time token works only in
  // this session. A second proof would take longer than a code is valid.
  .post(
    '/two-factor/setup',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['two_factor_on'],
      summary: 'Begin to set up an authenticator app',
      description:
        'Returns the secret for the app. Two-factor authentication is on after you have sent a code from the app.',
      parameters: [stepUpParameter],
      response: twoFactorSetup,
      responseDescription: 'The secret',
    },
    async (c) => {
      await requireStepUp(c.http)
      return await setUpTwoFactor(c.deps, changerOf(c.http))
    },
  )
  .post(
    '/two-factor',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['code_wrong', 'step_ended', 'two_factor_on'],
      summary: 'Turn on two-factor authentication',
      body: twoFactorRequest,
      response: recoveryCodes,
      responseDescription: 'Ten recovery codes, which are shown only once',
    },
    async (c) => ({ recoveryCodes: await switchOnTwoFactor(c.deps, changerOf(c.http), c.body) }),
  )
  .delete(
    '/two-factor',
    {
      tag: 'Security',
      refuses: ['two_factor_off'],
      summary: 'Turn off two-factor authentication',
      parameters: [stepUpParameter],
    },
    async (c) => {
      await requireStepUp(c.http)
      await switchOffTwoFactor(c.deps, changerOf(c.http))
    },
  )
  .post(
    '/two-factor/recovery-codes',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['two_factor_off'],
      summary: 'Get new recovery codes',
      parameters: [stepUpParameter],
      response: recoveryCodes,
      responseDescription: 'Ten recovery codes, which are shown only once',
    },
    async (c) => {
      await requireStepUp(c.http)
      return { recoveryCodes: await renewRecoveryCodes(c.deps, changerOf(c.http)) }
    },
  )
  .post(
    '/session/second-factor',
    {
      caller: 'anybody',
      key: 'none',
      refuses: ['step_ended', 'code_wrong'],
      summary: 'Sign in with the second factor',
      description:
        'Send a code from the authenticator app or a recovery code. The one-time token allows a few wrong codes.',
      body: secondFactorRequest,
      response: signInResponse,
      responseDescription: 'Signed in',
    },
    async (c) => answerSignIn(c.http, await signInWithCode(c.deps, clientOf(c.http), c.body)),
  )
