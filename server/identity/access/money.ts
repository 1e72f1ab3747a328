import type { Context } from 'hono'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type BookedOperation, POSTING_REFUSALS } from '#server/ledger/types.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

function isDecision(code: ErrorCode): code is (typeof POSTING_REFUSALS)[number] {
  return (POSTING_REFUSALS as readonly ErrorCode[]).includes(code)
}

/**
 * Handles a request that moves money; its route sets `money: true`. The Idempotency-Key is the ledger operation's id, so the
 * ledger applies the operation at most once. A rule may refuse a repetition of a request that succeeded before, for example
 * because the recipient has closed their account since. In that case `replay` returns the original result.
 */
export async function moveMoney<Result>(
  c: Context<ApiEnv>,
  handle: (key: RequestKey) => Promise<Result>,
  replay: (booked: BookedOperation) => Result,
): Promise<Result> {
  const key = c.get('key')
  try {
    return await handle(key)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    const { ledger } = c.get('deps')
    const booked = await ledger.find(key.operationId, key.fingerprint)
    if (booked) return replay(booked)
    // A refusal that names a field depends on the request alone, so a repetition gets the same refusal without a record.
    if (isDecision(error.code) && error.field === undefined) {
      const { operationId: id, fingerprint } = key
      await ledger.remember({ id, fingerprint }, error.code)
    }
    throw error
  }
}
