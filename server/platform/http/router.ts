import { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'

/** Routes whose schemas refuse in the words of the one catalogue. */
export function openRouter() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refusalOfInvalid((result as { data?: unknown }).data, result.error)
    },
  })
}
