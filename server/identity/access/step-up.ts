import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/identity.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { fingerprintOf } from '#server/identity/access/fingerprint.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { sessionProof } from '#server/identity/sessions/sessions.ts'
import { asksForProof, askForStepUp, takeProof } from '#server/identity/step-up/step-up.ts'

/** For how long a customer who has shown who they are is not asked again about their own account, in milliseconds. */
const RECENT_MS = 5 * 60_000

/**
 * Lets exactly this request through, once, whose customer has just shown for it who they are; any change to it asks
 * again (docs/decisions/0010). Where it moves money it is told the key: what was booked is answered again without another
 * proof, and a try that got lost may be sent again with the same one.
 * Throws Refusal `step_up_required`.
 *
 * @param asks whether the customer is to be asked, where that is known already
 */
export async function requireStepUp(
  c: Context<ApiEnv>,
  key?: RequestKey,
  asks: Promise<boolean> | boolean = asksForProof(c.get('deps'), c.get('customer').id),
): Promise<void> {
  const { ledger } = c.get('deps')
  if (!(await asks)) return
  try {
    await requireProof(c, key)
  } catch (error) {
    if (!key || !(await ledger.find(key.operationId, key.fingerprint))) throw error
  }
}

/**
 * The same for acts on the customer's own credentials and profile, except that any proof of the last five minutes will
 * do, the sign-in among them. Throws Refusal `step_up_required`.
 */
export async function requireRecentProof(c: Context<ApiEnv>): Promise<void> {
  const deps = c.get('deps')
  if (!(await asksForProof(deps, c.get('customer').id))) return
  const { provedAt } = await sessionProof(runOn(deps.pool), c.get('session'))
  if (provedAt && deps.clock.realNow().getTime() - provedAt.getTime() <= RECENT_MS) return
  await requireProof(c)
}

/** The same for acts that ask everybody for a proof, whatever the policy says of other acts. */
export async function requireProof(c: Context<ApiEnv>, key?: RequestKey): Promise<void> {
  const token = c.req.header(STEP_UP_HEADER)
  const asked = { fingerprint: fingerprintOf(c), use: key?.operationId ?? randomUUID() }
  if (token === undefined || !(await takeProof(c, asked, token))) throw new Refusal('step_up_required')
}

/** Names, in the answer to a request that was refused for want of a proof, what that proof is to be given to. */
export const offerStepUp = createMiddleware<ApiEnv>(async (c, next) => {
  await next()
  if (!(c.error instanceof Refusal) || c.error.code !== 'step_up_required') return
  c.header(STEP_UP_HEADER, await askForStepUp(c, fingerprintOf(c)))
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
