import type { OpenAPIHono } from '@hono/zod-openapi'
import { ERRORS } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** Named in the document of every request that needs one. A schema would have every header of it copied first. */
export const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: true,
  description:
    'A UUID made before the first try and kept for every further one: it is done once however often it is sent.',
  schema: { type: 'string' as const, format: 'uuid' },
}

const INFO = {
  title: 'Alder',
  version: '1',
  description:
    'The bank behind the app. Amounts are whole numbers of minor units next to their asset; times are ISO 8601 in UTC. ' +
    'A session cookie says who asks; POST /api/v1/session/visit gives one. Requests that change something carry the ' +
    "Origin of the bank's own address.",
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string', description: 'For a person' },
        field: { type: 'string', description: 'The part of the request that is at fault' },
      },
    },
  },
} as const

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The whole API as an OpenAPI 3.1 document; every operation can answer with the one shape of an error. */
export function openApiDocument(api: OpenAPIHono<ApiEnv>): unknown {
  const { openAPIRegistry: registry } = api
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'alder',
    description: 'Named __Host-alder where the bank is reached over https',
  })
  registry.registerComponent('schemas', 'Error', ERROR_SCHEMA as never)
  registry.registerComponent('responses', 'Error', {
    description: 'Refused. Nothing was changed.',
    headers: {
      [STEP_UP_HEADER]: {
        description:
          'With `step_up_required`: the token to give a proof to at /step-ups/{token}. Send the same request again with it.',
        schema: { type: 'string' },
      },
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  const document = api.getOpenAPI31Document({ openapi: '3.1.0', info: INFO, security: [{ session: [] }] })
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path[method]
      if (operation) operation.responses = { ...operation.responses, default: { $ref: '#/components/responses/Error' } }
    }
  }
  return document
}
