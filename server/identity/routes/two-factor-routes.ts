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
import { admit } from '#server/identity/routes/sign-in-routes.ts'
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#server/identity/two-factor/two-factor.ts'

/** Who asks to change what they sign in with. */
export function changerOf(c: Context<ApiEnv>): Changer {
  return { customer: c.get('customer'), caller: callerOf(c), session: c.get('session') }
}

export const twoFactorRoutes = routes('Identity')
  // The proof is asked for here and not again when the code comes: the one-time token is this session's alone, and a code
  // would have changed by the time its owner had shown who they are.
  .post(
    '/two-factor/setup',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['two_factor_on'],
      summary: 'Begin to set up an authenticator app',
      description: 'What the app is given. Two-factor authentication is on once a code of the app has come back.',
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
      responseDescription: 'Ten recovery codes, shown only this once',
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
      responseDescription: 'Ten recovery codes, shown only this once',
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
        'A code of the authenticator app, or a recovery code. The one-time token stands a few that are wrong.',
      body: secondFactorRequest,
      response: signInResponse,
      responseDescription: 'Signed in',
    },
    async (c) => admit(c.http, await signInWithCode(c.deps, clientOf(c.http), c.body)),
  )
