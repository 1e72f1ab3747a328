import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** Describes a JSON body or a JSON response of a route in the OpenAPI document. */
export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema } },
})

export const okResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, ...jsonContent(schema) },
})

export const noContentResponse = { 204: { description: 'Done' } } as const

/** A binary file in OpenAPI's notation. */
export const binaryContent = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

export const PDF = 'application/pdf'

/** Describes the response 200 of a route that returns a PDF. */
export const pdfResponse = (description: string) => ({ 200: { description, content: { [PDF]: binaryContent } } })

/** Sends a file for download: the browser saves it under its name, and caches do not store it. */
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

/** Returns the descriptions of an API's routes. */
export const routesOf = ({ openAPIRegistry }: Pick<OpenAPIHono<ApiEnv>, 'openAPIRegistry'>): RouteConfig[] =>
  openAPIRegistry.definitions.flatMap((definition) => (definition.type === 'route' ? [definition.route] : []))
