import type { IncomingMessage } from 'node:http'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { release } from '#server/platform/process/memory.ts'

/** The largest request body, in bytes. */
export const MAX_BODY = 64 * 1024

/** The largest body that a route takes. */
export type BodyLimit = {
  bytes: number
  /** What a larger one is refused with. */
  refusal: ErrorCode
  /** The handler reads it bit by bit, and counts by itself where nobody said how long it is. */
  streamed?: true
}

const USUAL: BodyLimit = { bytes: MAX_BODY, refusal: 'request_too_large' }

/** How much of a body that was refused is let pass, in times of what is taken, and for how long: a browser that still sends does not listen. */
const PASSED_TIMES = 3
const PASSING_MS = 20_000

/** Lets what is left of a body go by, unread. */
async function letPass(incoming: IncomingMessage, mostBytes: number): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  let passed = 0
  const pass = (chunk: Buffer): void => {
    passed += chunk.length
    release(chunk)
    if (passed > mostBytes) resolve()
  }
  const timer = setTimeout(resolve, PASSING_MS)
  for (const end of ['end', 'close', 'error'] as const) incoming.once(end, () => resolve())
  incoming.on('data', pass).resume()
  await gone
  clearTimeout(timer)
  incoming.off('data', pass)
}

/**
 * Refuses bodies that are larger than a route takes. Most say how long they are and Node holds them to it, so their body is
 * not touched here, which would cost more than the rest of the way to the handler.
 */
export function limitBody({ bytes, refusal, streamed }: BodyLimit = USUAL) {
  const refuse = (): never => {
    throw new Refusal(refusal)
  }
  // Counts one that does not say how long it is, and keeps what it reads for the handler.
  const countBody = bodyLimit({ maxSize: bytes, onError: refuse })
  return createMiddleware<ApiEnv>(async (c, next) => {
    const { incoming } = c.env
    const length = Number(incoming.headers['content-length'] ?? 0)
    if (streamed) {
      try {
        if (length > bytes) refuse()
        return await next()
      } finally {
        if (length <= PASSED_TIMES * bytes) await letPass(incoming, PASSED_TIMES * bytes)
      }
    }
    if (incoming.headers['transfer-encoding'] !== undefined) return countBody(c, next)
    return length > bytes ? refuse() : next()
  })
}
