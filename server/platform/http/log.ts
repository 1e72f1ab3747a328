import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { isOverload } from '#server/platform/concurrency.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { outsideRequest } from '#server/platform/telemetry/trace.ts'

/**
 * The interval at which the number of requests refused for overload is logged, in milliseconds. A line for each request would
 * add to the overload.
 */
const OVERLOAD_EVERY_MS = 5_000

/** The time from which a request counts as slow and is logged, in milliseconds. */
const SLOW_MS = 1_000

/**
 * Logs a line for each server error and each slow request. Other requests and refusals for overload are logged only at level
 * debug. The line names the route's template and never the path, the query, a body or a header: these can contain personal data
 * and tokens.
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

/** Counts the requests that were refused because of overload, and logs the number at intervals. */
export function overloadLog(log: Deps['log']): () => void {
  let refusedCount = 0
  let timer: NodeJS.Timeout | null = null
  const logOverload = (): void => {
    log.warn({ part: 'http', refused: refusedCount }, 'overload: requests were refused')
    refusedCount = 0
    timer = null
  }
  return () => {
    refusedCount += 1
    timer ??= setTimeout(() => outsideRequest(logOverload), OVERLOAD_EVERY_MS).unref()
  }
}
