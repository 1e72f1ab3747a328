import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { fingerprintOf } from '#server/identity/access/fingerprint.ts'
import { relyingPartyAt } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { asksForProof, askForStepUp, type Prover, takeProof } from '#server/identity/step-up/step-up.ts'
import { ownOrigin } from '#server/platform/http/origin.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** Who asks, as proofs are asked of them. */
export function proverOf(c: Context<ApiEnv>): Prover {
  const { incoming } = c.env
  return {
    customer: c.get('customer'),
    session: c.get('session'),
    caller: callerOf(c),
    party: relyingPartyAt(ownOrigin(incoming, c.get('deps').config)),
  }
}

/**
 * Lets exactly this request through, once, whose customer has just shown for it who they are; any change to it asks
 * again, and no other proof will do, the sign-in among them (docs/decisions/0065). Where it moves money it is told the
 * key: what was booked is answered again without another proof, and a try that got lost may be sent again with the same
 * one. Throws Refusal `step_up_required`.
 *
 * @param asks whether the customer is to be asked, where that is known already
 */
export async function requireStepUp(
  c: Context<ApiEnv>,
  key?: RequestKey,
  asks: Promise<boolean> | boolean = asksForProof(c.get('deps'), c.get('customer').id),
): Promise<void> {
  if (!(await asks)) return
  await requireProof(c, key)
}

/** The same for acts that ask everybody for a proof, whatever the policy says of other acts. */
export async function requireProof(c: Context<ApiEnv>, key?: RequestKey): Promise<void> {
  const deps = c.get('deps')
  const customer = c.get('customer')
  const token = c.req.header(STEP_UP_HEADER)
  const asked = { fingerprint: fingerprintOf(c), use: key?.operationId ?? randomUUID() }
  if (token !== undefined && (await takeProof(deps, { customer, session: c.get('session') }, asked, token))) return
  if (key && (await deps.ledger.find(key.operationId, key.fingerprint))) return
  throw new Refusal('step_up_required')
}

/** Names, in the answer to a request that was refused for want of a proof, what that proof is to be given to. */
export const offerStepUp = createMiddleware<ApiEnv>(async (c, next) => {
  await next()
  if (!(c.error instanceof Refusal) || c.error.code !== 'step_up_required') return
  c.header(STEP_UP_HEADER, await askForStepUp(c.get('deps'), proverOf(c), fingerprintOf(c)))
})

/** Among the `parameters` of a route that asks for a proof, so that the document names the header. */
export const stepUpParameter = {
  name: STEP_UP_HEADER,
  in: 'header' as const,
  required: false,
  description:
    'What a refusal with `step_up_required` named in this header, once a proof was given to it at /step-ups/{token}.',
  schema: { type: 'string' as const },
}
