import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import {
  recoveryCodes,
  secondFactorRequest,
  signInResponse,
  twoFactorRequest,
  twoFactorSetup,
} from '#contract/identity.ts'
import { runOn } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { beginSession } from '#server/identity/access/session.ts'
import { requireRecentProof, stepUpParameter } from '#server/identity/access/step-up.ts'
import type { Changer } from '#server/identity/sessions/credentials.ts'
import { holderById } from '#server/identity/passwords/password-check.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { FirstFactor } from '#server/identity/sign-in/sign-in.ts'
import { takeOneTimeToken, tryOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { acceptCode } from '#server/identity/two-factor/two-factor-code.ts'
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#server/identity/two-factor/two-factor.ts'

const tags = ['Security']
const codesResponse = {
  description: 'Ten recovery codes, which nobody is shown again',
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
  summary: 'Switch two-factor authentication on',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: twoFactorRequest } } } },
  responses: { 200: codesResponse },
})

const switchOff = defineRoute({
  method: 'delete',
  path: '/two-factor',
  summary: 'Switch two-factor authentication off',
  tags,
  parameters: [stepUpParameter],
  responses: { 204: { description: 'It is off; the recovery codes are worth nothing any more' } },
})

const renew = defineRoute({
  method: 'post',
  path: '/two-factor/recovery-codes',
  needs: { key: 'none' },
  summary: 'Make new recovery codes',
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
    await requireRecentProof(c)
    return c.json(await setUpTwoFactor(c.get('deps'), changerOf(c)), 200)
  })
  .openapi(switchOn, async (c) =>
    c.json({ recoveryCodes: await switchOnTwoFactor(c.get('deps'), changerOf(c), c.req.valid('json')) }, 200),
  )
  .openapi(switchOff, async (c) => {
    await requireRecentProof(c)
    await switchOffTwoFactor(c.get('deps'), changerOf(c))
    return c.body(null, 204)
  })
  .openapi(renew, async (c) => {
    await requireRecentProof(c)
    return c.json({ recoveryCodes: await renewRecoveryCodes(c.get('deps'), changerOf(c)) }, 200)
  })
  .openapi(finishSignIn, async (c) => {
    const deps = c.get('deps')
    const run = runOn(deps.pool)
    const { oneTimeToken: token, code } = c.req.valid('json')
    const oneTimeToken = await tryOneTimeToken<FirstFactor>(deps, run, 'second_factor', token)
    const holder = oneTimeToken?.customerId && (await holderById(run, oneTimeToken.customerId))
    if (!oneTimeToken || !holder) throw new Refusal('step_ended')
    const { customer } = holder
    const accepted = await acceptCode(deps, customer, code)
    if (!accepted) {
      await recordSecurityEvent(deps, run, { customerId: customer.id, kind: 'sign_in_failed', caller: callerOf(c) })
      throw new Refusal('code_wrong', 'code')
    }
    const method = accepted === 'recovery_code' ? 'recovery_code' : oneTimeToken.content.method
    await beginSession(c, customer.id, method, async (within) => {
      if (!(await takeOneTimeToken(deps, within, 'second_factor', token))) throw new Refusal('step_ended')
    })
    return c.json({ status: 'signed_in' as const, me: meOf(deps, customer) }, 200)
  })
