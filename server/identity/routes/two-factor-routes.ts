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
import { defineRoute, router } from '#server/identity/access/route.ts'
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

const tags = ['Security']
const codesResponse = {
  description: 'Ten recovery codes, shown only this once',
  content: { 'application/json': { schema: recoveryCodes } },
}

const setUp = defineRoute({
  method: 'post',
  path: '/two-factor/setup',
  needs: { key: 'none' },
  summary: 'Begin to set up an authenticator app',
  description: 'What the app is given. Two-factor authentication is on once a code of the app has come back.',
  tags,
  parameters: [stepUpParameter],
  responses: {
    200: { description: 'The secret', content: { 'application/json': { schema: twoFactorSetup } } },
  },
})

const switchOn = defineRoute({
  method: 'post',
  path: '/two-factor',
  needs: { key: 'none' },
  summary: 'Turn on two-factor authentication',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: twoFactorRequest } } } },
  responses: { 200: codesResponse },
})

const switchOff = defineRoute({
  method: 'delete',
  path: '/two-factor',
  summary: 'Turn off two-factor authentication',
  tags,
  parameters: [stepUpParameter],
  responses: { 204: { description: 'It is off; the recovery codes are worth nothing any more' } },
})

const renew = defineRoute({
  method: 'post',
  path: '/two-factor/recovery-codes',
  needs: { key: 'none' },
  summary: 'Get new recovery codes',
  tags,
  parameters: [stepUpParameter],
  responses: { 200: codesResponse },
})

const finishSignIn = defineRoute({
  method: 'post',
  path: '/session/second-factor',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Sign in with the second factor',
  description: 'A code of the authenticator app, or a recovery code. The one-time token stands a few that are wrong.',
  tags: ['Identity'],
  request: { body: { required: true, content: { 'application/json': { schema: secondFactorRequest } } } },
  responses: { 200: { description: 'Signed in', content: { 'application/json': { schema: signInResponse } } } },
})

/** Who asks to change what they sign in with. */
export function changerOf(c: Context<ApiEnv>): Changer {
  return { customer: c.get('customer'), caller: callerOf(c), session: c.get('session') }
}

export const twoFactorRoutes = router()
  // The proof is asked for here and not again when the code comes: the one-time token is this session's alone, and a code
  // would have changed by the time its owner had shown who they are.
  .openapi(setUp, async (c) => {
    await requireStepUp(c)
    return c.json(await setUpTwoFactor(c.get('deps'), changerOf(c)), 200)
  })
  .openapi(switchOn, async (c) =>
    c.json({ recoveryCodes: await switchOnTwoFactor(c.get('deps'), changerOf(c), c.req.valid('json')) }, 200),
  )
  .openapi(switchOff, async (c) => {
    await requireStepUp(c)
    await switchOffTwoFactor(c.get('deps'), changerOf(c))
    return c.body(null, 204)
  })
  .openapi(renew, async (c) => {
    await requireStepUp(c)
    return c.json({ recoveryCodes: await renewRecoveryCodes(c.get('deps'), changerOf(c)) }, 200)
  })
  .openapi(finishSignIn, async (c) => {
    return c.json(admit(c, await signInWithCode(c.get('deps'), clientOf(c), c.req.valid('json'))), 200)
  })
