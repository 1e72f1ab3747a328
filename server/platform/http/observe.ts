import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { secondsSince } from '#server/platform/telemetry/measures.ts'
import { inRequest } from '#server/platform/telemetry/trace.ts'

/**
 * The slice of each route, by the route's template. Requests for other paths are counted under a common name, whatever their
 * path.
 */
export type RouteNames = Map<string, string>

type Routed = { routes: readonly { method: string; path: string }[] }

export function nameRoutes(named: RouteNames, slice: string, { routes }: Routed, base = ''): void {
  for (const { method, path } of routes) if (method !== 'ALL') named.set(`${base}${path}`, slice)
}

/** The names for requests of no slice: `other` for unknown paths of the API, `web` for all others. */
export const NO_SLICE = ['other', 'web'] as const

/**
 * Returns the slice and the route that a request is counted under. All pages and files of the web app are one route. All
 * unknown paths of the API are another.
 */
export function routeOf(named: RouteNames, c: Context<ApiEnv>): { slice: string; route: string } {
  const route = routePath(c, -1)
  const slice = named.get(route)
  if (slice !== undefined) return { slice, route }
  const name = NO_SLICE[c.req.path.startsWith('/api/') ? 0 : 1]
  return { slice: name, route: name }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Measures each request and, if tracing is on, traces it. */
export function observeRequests(named: RouteNames) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const startedAt = performance.now()
    const { measures } = c.get('deps')
    const method = METHODS.has(c.req.method) ? c.req.method : 'other'
    const { requestId } = c.env.outgoing
    const traceparent = c.req.header('traceparent')
    await inRequest({ requestId, method, traceparent }, next, () => ({
      route: routeOf(named, c).route,
      status: c.res.status,
    }))
    if (!measures.isOn) return
    const labels = { ...routeOf(named, c), method, status: `${Math.floor(c.res.status / 100)}xx` }
    measures.observe('alder_http_request_duration_seconds', labels, secondsSince(startedAt))
  })
}
