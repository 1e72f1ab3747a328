import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isSigned } from '#server/platform/signature.ts'

/**
 * Lets in what a partner has signed with the secret that both know. It stands before anything that may wait: others must not
 * take the partner's place. Throws Refusal `signature_refused`.
 */
export const signedWith = (secret: string) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const timestamp = c.req.header('alder-timestamp') ?? ''
    const signature = c.req.header('alder-signature') ?? ''
    const now = c.get('deps').clock.realNow()
    if (!isSigned(secret, await c.req.text(), { timestamp, signature }, now)) throw new Refusal('signature_refused')
    return next()
  })
