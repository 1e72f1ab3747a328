import type { Context } from 'hono'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { fingerprintOfRequest } from '#server/platform/http/request-key.ts'

/** A digest of what a request asks and who asks it. */
export function fingerprintOf(c: Context<ApiEnv>): string {
  const { method, path } = c.req
  const body: unknown = c.req.valid('json' as never)
  return fingerprintOfRequest({ method, path, customerId: c.get('customer')?.id ?? null, body })
}
