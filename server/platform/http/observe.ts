import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { secondsSince } from '#server/platform/telemetry/measures.ts'
import { inRequest } from '#server/platform/telemetry/trace.ts'

/** Whose each route is, by its template. What is not in here has no name of its own, whatever was asked for. */
export type RouteNames = Map<string, string>

type Routed = { routes: readonly { method: string; path: string }[] }

export function nameRoutes(named: RouteNames, slice: string, { routes }: Routed, base = ''): void {
  for (const { method, path } of routes) if (method !== 'ALL') named.set(`${base}${path}`, slice)
}

/** What requests are counted under that belong to no slice: those for an API that is not there, and all others. */
export const NO_SLICE = ['other', 'web'] as const

/** What a request is counted as: the pages and files of the web app are one route, and so is all that nothing answers. */
export function routeOf(named: RouteNames, c: Context<ApiEnv>): { slice: string; route: string } {
  const route = routePath(c, -1)
  const slice = named.get(route)
  if (slice !== undefined) return { slice, route }
  const name = NO_SLICE[c.req.path.startsWith('/api/') ? 0 : 1]
  return { slice: name, route: name }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Measures each request and, where that is wanted, traces it. */
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
