import type { Context } from 'hono'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type Booked, POSTING_REFUSALS } from '#server/ledger/types.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

function isDecision(code: ErrorCode): code is (typeof POSTING_REFUSALS)[number] {
  return (POSTING_REFUSALS as readonly ErrorCode[]).includes(code)
}

/**
 * Handles a request that moves money, whose route says so (`needs: { money: true }`). The Idempotency-Key is the ledger
 * operation's id, so the ledger applies it at most once. A rule that would refuse the request today (a recipient who
 * has since left, say) does not refuse its repetition: what was booked is answered again, by `replay`.
 */
export async function moveMoney<Result>(
  c: Context<ApiEnv>,
  handle: (key: RequestKey) => Promise<Result>,
  replay: (booked: Booked) => Result,
): Promise<Result> {
  const key = c.get('key')
  try {
    return await handle(key)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    const { ledger } = c.get('deps')
    const booked = await ledger.find(key.operationId, key.fingerprint)
    if (booked) return replay(booked)
    // One that names a field was decided by the request alone, and will be again.
    if (isDecision(error.code) && error.field === undefined) {
      const { operationId: id, fingerprint } = key
      await ledger.remember({ id, fingerprint }, error.code)
    }
    throw error
  }
}
