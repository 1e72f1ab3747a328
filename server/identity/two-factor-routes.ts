import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import {
  recoveryCodes,
  secondFactorRequest,
  signInResponse,
  twoFactorRequest,
  twoFactorSetup,
} from '#contract/identity.ts'
import { runOn } from '#server/db/run.ts'
import { callerOf } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'
import { router } from '#server/http/router.ts'
import { beginSession } from '#server/http/session.ts'
import { requireRecentProof, stepUpParameter } from '#server/http/step-up.ts'
import type { Changer } from '#server/identity/credentials.ts'
import { holderById } from '#server/identity/password-check.ts'
import { meOf } from '#server/identity/me.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import type { FirstFactor } from '#server/identity/sign-in.ts'
import { takeTicket, tryTicket } from '#server/identity/tickets.ts'
import { acceptCode } from '#server/identity/two-factor-code.ts'
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '#server/identity/two-factor.ts'

const tags = ['Security']
const codesResponse = {
  description: 'Ten recovery codes, which nobody is shown again',
  content: { 'application/json': { schema: recoveryCodes } },
}

const setUp = createRoute({
  method: 'post',
  path: '/two-factor/setup',
  summary: 'Begin to set up an authenticator app',
  description: 'What the app is given. Two-factor authentication is on once a code of the app has come back.',
  tags,
  parameters: [stepUpParameter],
  responses: {
    200: { description: 'The secret', content: { 'application/json': { schema: twoFactorSetup } } },
  },
})

const switchOn = createRoute({
  method: 'post',
  path: '/two-factor',
  summary: 'Switch two-factor authentication on',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: twoFactorRequest } } } },
  responses: { 200: codesResponse },
})

const switchOff = createRoute({
  method: 'delete',
  path: '/two-factor',
  summary: 'Switch two-factor authentication off',
  tags,
  parameters: [stepUpParameter],
  responses: { 204: { description: 'It is off; the recovery codes are worth nothing any more' } },
})

const renew = createRoute({
  method: 'post',
  path: '/two-factor/recovery-codes',
  summary: 'Make new recovery codes',
  tags,
  parameters: [stepUpParameter],
  responses: { 200: codesResponse },
})

const finishSignIn = createRoute({
  method: 'post',
  path: '/session/second-factor',
  summary: 'Sign in with the second factor',
  description: 'A code of the authenticator app, or a recovery code. The ticket stands a few that are wrong.',
  tags: ['Identity'],
  security: [],
  request: { body: { required: true, content: { 'application/json': { schema: secondFactorRequest } } } },
  responses: { 200: { description: 'Signed in', content: { 'application/json': { schema: signInResponse } } } },
})

/** Who asks to change what they sign in with. */
export function changerOf(c: Context<BankEnv>): Changer {
  return { customer: c.get('customer'), caller: callerOf(c), session: c.get('session') }
}

export const twoFactorRoutes = router()
  // The proof is asked for here and not again when the code comes: the ticket is this session's alone, and a code
  // would have changed by the time its owner had shown who they are.
  .openapi(setUp, async (c) => {
    await requireRecentProof(c)
    return c.json(await setUpTwoFactor(c.get('bank'), changerOf(c)), 200)
  })
  .openapi(switchOn, async (c) =>
    c.json({ recoveryCodes: await switchOnTwoFactor(c.get('bank'), changerOf(c), c.req.valid('json')) }, 200),
  )
  .openapi(switchOff, async (c) => {
    await requireRecentProof(c)
    await switchOffTwoFactor(c.get('bank'), changerOf(c))
    return c.body(null, 204)
  })
  .openapi(renew, async (c) => {
    await requireRecentProof(c)
    return c.json({ recoveryCodes: await renewRecoveryCodes(c.get('bank'), changerOf(c)) }, 200)
  })
  .openapi(finishSignIn, async (c) => {
    const bank = c.get('bank')
    const run = runOn(bank.pool)
    const { ticket: token, code } = c.req.valid('json')
    const ticket = await tryTicket<FirstFactor>(bank, run, 'second_factor', token)
    const holder = ticket?.customerId && (await holderById(run, ticket.customerId))
    if (!ticket || !holder) throw new Refusal('step_ended')
    const { customer } = holder
    const accepted = await acceptCode(bank, customer, code)
    if (!accepted) {
      await recordSecurityEvent(bank, run, { customerId: customer.id, kind: 'sign_in_failed', caller: callerOf(c) })
      throw new Refusal('code_wrong', 'code')
    }
    const method = accepted === 'recovery_code' ? 'recovery_code' : ticket.content.method
    await beginSession(c, customer.id, method, async (within) => {
      if (!(await takeTicket(bank, within, 'second_factor', token))) throw new Refusal('step_ended')
    })
    return c.json({ status: 'signed_in' as const, me: meOf(bank, customer) }, 200)
  })
