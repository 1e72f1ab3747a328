import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { Hono } from 'hono'
import type { ErrorBody } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { OF_THE_CONNECTION, OF_TROUBLE, refusalsOf } from '#server/platform/http/refusals.ts'
import { routeFinder } from '#server/test/find-route.ts'

/** Refusals that the API document does not name, since they were last looked at (server/test/document.ts). */
export const undeclared: string[] = []

const ALWAYS: ReadonlySet<string> = new Set([...OF_THE_CONNECTION, ...OF_TROUBLE])

/** Whether the API document says that a route may refuse with a code. */
export const isDeclared = (route: RouteConfig, code: string): boolean =>
  ALWAYS.has(code) || (refusalsOf(route) as ReadonlySet<string>).has(code)

/** The bank, of whose refusals those are noted that their routes among `slices` do not declare. */
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
      if (!isDeclared(route, error.code)) undeclared.push(`${route.method} ${route.path} refuses with ${error.code}`)
      return answer
    },
  }
}
