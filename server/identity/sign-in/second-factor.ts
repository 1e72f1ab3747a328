import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { holderById } from '#server/identity/customers/password-hash.ts'
import { recordCodesLocked } from '#server/identity/passwords/password-locks.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { FirstFactor, SignedIn } from '#server/identity/sign-in/sign-in.ts'
import { takeOneTimeToken, tryOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { acceptCode, signInCodeLock } from '#server/identity/two-factor/two-factor-code.ts'

/**
 * Signs in a customer who has given their first factor and now sends a code. Throws Refusal `step_ended`, `code_wrong` (another
 * code may follow), and `too_many_requests` while codes are locked.
 */
export async function signInWithCode(
  deps: Deps,
  client: Client,
  { oneTimeToken: token, code }: { oneTimeToken: string; code: string },
): Promise<SignedIn> {
  const oneTimeToken = await tryOneTimeToken<FirstFactor>(deps, deps.db, 'second_factor', token)
  const holder = oneTimeToken?.customerId && (await holderById(deps.db, oneTimeToken.customerId))
  if (!oneTimeToken || !holder) throw new Refusal('step_ended')
  const { customer } = holder
  const lock = await signInCodeLock(deps, customer, client.deviceToken)
  const outcome = await acceptCode(deps, customer, code, lock)
  if (outcome.accepted === null) {
    const { caller } = client
    await recordSecurityEvent(deps, deps.db, { customerId: customer.id, kind: 'sign_in_failed', caller })
    const noted = { customerId: customer.id, caller, where: 'second_factor' } as const
    if (outcome.locked) await recordCodesLocked(deps, noted)
    throw new Refusal('code_wrong', 'code')
  }
  const method = outcome.accepted === 'recovery_code' ? 'recovery_code' : oneTimeToken.content.method
  const entry = await beginSession(deps, client, { customerId: customer.id, method }, async (trx) => {
    if (!(await takeOneTimeToken(deps, trx, 'second_factor', token))) throw new Refusal('step_ended')
  })
  return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor: null }
}
