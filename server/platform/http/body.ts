import type { IncomingMessage } from 'node:http'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { freeMemory } from '#server/platform/process/memory.ts'

/** The largest request body by default, in bytes. */
export const MAX_BODY = 64 * 1024

/** The largest body that a route accepts. */
export type BodyLimit = {
  bytes: number
  /** The error code for a larger body. */
  refusal: ErrorCode
  /** The handler reads the body in chunks. It must count the bytes itself if the request has no Content-Length. */
  streamed?: true
}

const USUAL: BodyLimit = { bytes: MAX_BODY, refusal: 'request_too_large' }

/**
 * `PASSED_TIMES`: how much of a refused body is read and discarded, as a multiple of the limit. `PASSING_MS`: the longest time
 * for that, in milliseconds. The body is read because a browser that is still sending does not read the response.
 */
const PASSED_TIMES = 3
const PASSING_MS = 20_000

/** Reads and discards the rest of a body, until `mostBytes` are exceeded or `PASSING_MS` are over. */
async function letPass(incoming: IncomingMessage, mostBytes: number): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return
  const { promise: bodyEnd, resolve } = Promise.withResolvers<void>()
  let passedBytes = 0
  const countChunk = (chunk: Buffer): void => {
    passedBytes += chunk.length
    freeMemory(chunk)
    if (passedBytes > mostBytes) resolve()
  }
  const timer = setTimeout(resolve, PASSING_MS)
  for (const end of ['end', 'close', 'error'] as const) incoming.once(end, () => resolve())
  incoming.on('data', countChunk).resume()
  await bodyEnd
  clearTimeout(timer)
  incoming.off('data', countChunk)
}

/**
 * Refuses bodies that are larger than the route's limit. Most requests have a Content-Length, which Node enforces, so their
 * body is not read here: reading it would cost more than the rest of the way to the handler.
 */
export function limitBody({ bytes, refusal, streamed }: BodyLimit = USUAL) {
  const refuse = (): never => {
    throw new Refusal(refusal)
  }
  // Counts a body without a Content-Length, and keeps the read bytes for the handler.
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
