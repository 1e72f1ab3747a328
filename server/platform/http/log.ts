import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** A request slower than this is worth a line, in milliseconds. */
const SLOW_MS = 1_000

/**
 * One line for a request that failed or dragged on, and at level debug for every one. It names the route's template
 * and never the path, the query, a body or a header: those can hold personal data and tokens.
 */
export const logRequests = createMiddleware<ApiEnv>(async (c, next) => {
  const startedAt = performance.now()
  await next()
  const ms = performance.now() - startedAt
  const { status } = c.res
  const { log } = c.get('deps')
  const level = status >= 500 ? 'error' : ms >= SLOW_MS ? 'info' : 'debug'
  if (!log.isLevelEnabled(level)) return
  const { requestId } = c.env.outgoing
  log[level]({ requestId, method: c.req.method, route: routePath(c, -1), status, ms: Math.round(ms) }, 'request')
})
