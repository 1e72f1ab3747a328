import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { isOverload } from '#server/platform/concurrency.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { apartFromRequests } from '#server/platform/telemetry/trace.ts'

/** How often the log says that requests were refused, in milliseconds: a line for each would be a load of its own. */
const OVERLOAD_EVERY_MS = 5_000

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
  const level = isOverload(c.error) ? 'debug' : status >= 500 ? 'error' : ms >= SLOW_MS ? 'info' : 'debug'
  if (!log.isLevelEnabled(level)) return
  const { requestId } = c.env.outgoing
  log[level]({ requestId, method: c.req.method, route: routePath(c, -1), status, ms: Math.round(ms) }, 'request')
})

/** Counts requests that were refused because there was too much to do, and says now and then how many there were. */
export function overloadLog(log: Deps['log']): () => void {
  let refused = 0
  let timer: NodeJS.Timeout | null = null
  const say = (): void => {
    log.warn({ part: 'http', refused }, 'too much to do: requests were refused')
    refused = 0
    timer = null
  }
  return () => {
    refused += 1
    timer ??= setTimeout(() => apartFromRequests(say), OVERLOAD_EVERY_MS).unref()
  }
}
