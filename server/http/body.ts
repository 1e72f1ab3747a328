import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { BankEnv } from '#server/http/context.ts'

/** The largest request body, in bytes. */
export const MAX_BODY = 64 * 1024

const refuse = () => {
  throw new Refusal('request_too_large')
}

/** Counts a body that does not say how long it is, and keeps what it read for the handler. */
const countBody = bodyLimit({ maxSize: MAX_BODY, onError: refuse })

/**
 * Refuses bodies past MAX_BODY. Most say how long they are and Node holds them to it, so their body is not touched
 * here, which would cost more than the rest of the way to the handler.
 */
export const limitBody = createMiddleware<BankEnv>(async (c, next) => {
  const { headers } = c.env.incoming
  if (headers['transfer-encoding'] !== undefined) return countBody(c, next)
  if (Number(headers['content-length'] ?? 0) > MAX_BODY) refuse()
  return next()
})
