import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** What routes say of their bodies and answers in the OpenAPI document. */

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } })

export const answers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, ...json(schema) },
})

export const done = { 204: { description: 'It is so now' } } as const

/** A file that is no text, as OpenAPI describes it. */
export const binary = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

export const PDF = 'application/pdf'

/** The 200 of a route that answers a PDF. */
export const pdfFile = (description: string) => ({ 200: { description, content: { [PDF]: binary } } })

/** A file to keep: the browser saves it under its name, and no cache has it. */
export const sendFile = (
  { body }: Pick<Context<ApiEnv>, 'body'>,
  {
    content,
    mediaType,
    name,
    headers,
  }: {
    content: Uint8Array<ArrayBuffer> | ReadableStream | string
    mediaType: string
    name: string
    headers?: Readonly<Record<string, string>>
  },
): Response =>
  body(content, 200, {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    ...headers,
  })

/** What the routes of an API are described by. */
export const routesOf = ({ openAPIRegistry }: Pick<OpenAPIHono<ApiEnv>, 'openAPIRegistry'>): RouteConfig[] =>
  openAPIRegistry.definitions.flatMap((definition) => (definition.type === 'route' ? [definition.route] : []))
