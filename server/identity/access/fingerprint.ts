import type { Context } from 'hono'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { countedAs } from '#server/platform/http/rate-limit.ts'
import { fingerprintOfRequest } from '#server/platform/http/request-key.ts'

/** A digest of what a request asks and who asks it. */
export function fingerprintOf(c: Context<ApiEnv>): string {
  const { method, path } = c.req
  const given: unknown = c.req.valid('json' as never)
  const body = withoutPassword(given, (password) => countedAs(c.get('deps'), password))
  return fingerprintOfRequest({ method, path, customerId: c.get('customer')?.id ?? null, body })
}

/** A digest is quickly made, and so quickly tried with every password: one that is kept is made of something else. */
function withoutPassword(body: unknown, hide: (password: string) => string): unknown {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' ? { ...(body as object), password: hide(password) } : body
}
