import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { requestFingerprint } from '#server/identity/access/fingerprint.ts'
import { relyingPartyAt } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { needsProof, issueStepUp, type Prover, consumeProof } from '#server/identity/step-up/step-up.ts'
import { ownOrigin } from '#server/platform/http/origin.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** Returns the caller's data for a proof of identity. */
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
 * Admits this request only with a fresh proof of identity for exactly this request. A proof works once. A changed request needs
 * a new proof, and the sign-in does not count as one (docs/decisions/0065). A request that moves money passes its `key`. A
 * repetition of an operation that is already booked then needs no second proof, and an attempt without a response may be sent
 * again with the same proof. Throws Refusal `step_up_required`.
 *
 * @param isProofNeeded whether the customer must give a proof; looked up by default
 */
export async function requireStepUp(
  c: Context<ApiEnv>,
  key?: RequestKey,
  isProofNeeded: Promise<boolean> | boolean = needsProof(c.get('deps'), c.get('customer').id),
): Promise<void> {
  if (!(await isProofNeeded)) return
  await requireProof(c, key)
}

/** Requires a proof of identity for this request, even if the policy requires none from this customer. */
export async function requireProof(c: Context<ApiEnv>, key?: RequestKey): Promise<void> {
  const deps = c.get('deps')
  const customer = c.get('customer')
  const token = c.req.header(STEP_UP_HEADER)
  const bound = { fingerprint: requestFingerprint(c), use: key?.operationId ?? randomUUID() }
  if (token !== undefined && (await consumeProof(deps, { customer, session: c.get('session') }, bound, token))) return
  if (key && (await deps.ledger.find(key.operationId, key.fingerprint))) return
  throw new Refusal('step_up_required')
}

/**
 * Adds the step-up header to a response with `step_up_required`. The header contains the token to which the customer gives the
 * proof.
 */
export const offerStepUp = createMiddleware<ApiEnv>(async (c, next) => {
  await next()
  if (!(c.error instanceof Refusal) || c.error.code !== 'step_up_required') return
  c.header(STEP_UP_HEADER, await issueStepUp(c.get('deps'), proverOf(c), requestFingerprint(c)))
})

/** The header parameter for a route that requires a proof. It is among the route's `parameters` in the API document. */
export const stepUpParameter = {
  name: STEP_UP_HEADER,
  in: 'header' as const,
  required: false,
  description:
    'The token from this header of a response with `step_up_required`, after you have given a proof at /step-ups/{token}.',
  schema: { type: 'string' as const },
}
