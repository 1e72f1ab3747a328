import { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'

/** Creates a router whose schemas refuse with the codes of the common catalog. */
export function openRouter() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refusalOfInvalid((result as { data?: unknown }).data, result.error)
    },
  })
}
