import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { Hono } from 'hono'
import type { ErrorBody } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { CONNECTION_CODES, TROUBLE_CODES, refusalsOf } from '#server/platform/http/refusals.ts'
import { routeFinder } from '#server/test/find-route.ts'

/** The undocumented refusals since the last check (server/test/document.ts). */
export const undeclaredRefusals: string[] = []

const ALWAYS: ReadonlySet<string> = new Set([...CONNECTION_CODES, ...TROUBLE_CODES])

/** Returns whether the API document lists a code among the refusals of a route. */
export const isDeclared = (route: RouteConfig, code: string): boolean =>
  ALWAYS.has(code) || (refusalsOf(route) as ReadonlySet<string>).has(code)

/** Wraps the API so that it records refusals that the routes of `slices` do not declare. */
export function holdToDocument(
  api: Pick<Hono<ApiEnv>, 'fetch'>,
  slices: OpenAPIHono<ApiEnv>,
): Pick<Hono<ApiEnv>, 'fetch'> {
  const find = routeFinder(slices)
  return {
    fetch: async (request, ...rest) => {
      const answer = await api.fetch(request, ...rest)
      const route = answer.status < 400 ? undefined : find(request.method, new URL(request.url).pathname)
      if (!route) return answer
      const { error } = (await answer.clone().json()) as ErrorBody
      if (!isDeclared(route, error.code))
        undeclaredRefusals.push(`${route.method} ${route.path} refuses with ${error.code}`)
      return answer
    },
  }
}
