import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isSigned } from '#server/platform/signature.ts'

/**
 * Accepts only requests that a partner has signed with one of the shared secrets: the current one or, while the secret changes,
 * the other one. Must come before any middleware that waits for a turn: unsigned requests must not take the partner's place.
 * Throws Refusal `signature_refused`.
 */
export const signedWith = (...secrets: (string | null | undefined)[]) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const timestamp = c.req.header('alder-timestamp') ?? ''
    const signature = c.req.header('alder-signature') ?? ''
    const now = c.get('deps').clock.realNow()
    const body = await c.req.text()
    if (!secrets.some((secret) => secret && isSigned(secret, body, { timestamp, signature }, now)))
      throw new Refusal('signature_refused')
    return next()
  })
