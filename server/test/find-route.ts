import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { routesOf } from '#server/platform/http/route-bodies.ts'

/** Finds the route of a method and a path. A route without parameters comes first, because `/goals/new` is not a goal. */
export function routeFinder(api: OpenAPIHono<ApiEnv>): (method: string, path: string) => RouteConfig | undefined {
  const routes = routesOf(api)
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  return (method, path) =>
    routes.find(({ route, pattern }) => route.method.toUpperCase() === method && pattern.test(path))?.route
}
