import type { z } from '@hono/zod-openapi'

/** What routes say of their bodies and answers in the OpenAPI document. */

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } })

export const body = <Schema extends z.ZodType>(schema: Schema) => ({ required: true, ...json(schema) })

export const answers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, ...json(schema) },
})

export const done = { 204: { description: 'It is so now' } } as const
