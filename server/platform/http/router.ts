import { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'

/** A slice's routes begin here, so that whatever its schemas refuse is answered from the one catalogue. */
export function router() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refusalOfInvalid((result as { data?: unknown }).data, result.error)
    },
  })
}
