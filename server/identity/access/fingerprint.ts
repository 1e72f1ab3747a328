import type { Context } from 'hono'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { counterKey } from '#server/platform/http/rate-limit.ts'
import { fingerprintOfRequest } from '#server/platform/http/request-key.ts'

/** Returns a digest of the request's method, path and body and of the customer who sent it. */
export function requestFingerprint(c: Context<ApiEnv>): string {
  const { method, path } = c.req
  const input: unknown = c.req.valid('json' as never)
  const body = withoutPassword(input, (password) => counterKey(c.get('deps'), password))
  return fingerprintOfRequest({ method, path, customerId: c.get('customer')?.id ?? null, body })
}

/**
 * Replaces the password in the body by a keyed digest. A plain digest is fast to compute, so an attacker who has read a stored
 * one could try many passwords against it.
 */
function withoutPassword(body: unknown, hide: (password: string) => string): unknown {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' ? { ...(body as object), password: hide(password) } : body
}
