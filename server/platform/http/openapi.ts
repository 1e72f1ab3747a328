import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ErrorCode } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { type BodySchema, exampleOf } from '#server/platform/http/examples.ts'
import {
  CONNECTION_CODES,
  TROUBLE_CODES,
  refusalExamples,
  refusalsOf,
  refusalResponseFor,
  responsesOf,
} from '#server/platform/http/refusals.ts'
import { routesOf } from '#server/platform/http/route-bodies.ts'

/**
 * The Idempotency-Key header, as a parameter in the document of each route that needs it. It is not a schema of the route,
 * because a schema would first copy every header of each request.
 */
export const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: true,
  description:
    'A UUID that the client makes before the first attempt and sends with every retry. The request is carried out once.',
  schema: { type: 'string' as const, format: 'uuid' },
}

const INFO = {
  title: 'Alder',
  version: '1',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The operator of this bank' },
  description:
    'The bank behind the app. Amounts are whole numbers of minor units next to their asset. Times are ISO 8601 in UTC. Days are ' +
    'in the time zone that the bank was made with (BANK_TIME_ZONE). ' +
    'A session cookie identifies the caller; POST /api/v1/session/visit sets one. Requests that change something need an ' +
    "Origin header with the bank's own address.",
}

type Body = { content?: Record<string, { schema: BodySchema; example?: unknown }> }
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  requestBody?: Body
  responses: Record<string, Body>
  'x-refuses'?: unknown
}

/** The responses that any request may get. */
const REFUSED = {
  '4XX': { $ref: '#/components/responses/Connection' },
  '5XX': { $ref: '#/components/responses/Trouble' },
}

/** Returns the operation's name for generated clients: 'PUT /api/v1/goals/{id}/lock' becomes 'putGoalsIdLock'. */
const operationIdOf = (method: string, path: string): string =>
  method +
  path
    .replace('/api/v1', '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The parts of the API, each with a description of its content. */
export type ApiTags = Readonly<Record<string, string>>

/** Returns the whole API as an OpenAPI 3.1 document: each operation with its refusals and with examples of its bodies. */
export function openApiDocument(api: OpenAPIHono<ApiEnv>, descriptions: ApiTags): object {
  const { openAPIRegistry: registry } = api
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'alder',
    description: 'Named __Host-alder if the bank is reached over https',
  })
  const servers = [{ url: '.', description: 'This bank' }]
  const document = api.getOpenAPI31Document({ openapi: '3.1.0', info: INFO, servers, security: [{ session: [] }] })
  const tags = new Set<string>()
  const usedCodes = new Set<ErrorCode>([...CONNECTION_CODES, ...TROUBLE_CODES])
  for (const route of routesOf(api)) {
    const { method, path } = route
    const operation = document.paths?.[path]?.[method as 'get'] as Operation
    const refusals = refusalsOf(route)
    for (const code of refusals) usedCodes.add(code)
    operation.operationId = operationIdOf(method, path)
    operation.description ??= `${operation.summary}.`
    delete operation['x-refuses']
    const [part = ''] = operation.tags
    for (const { content } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
      const media = content?.['application/json']
      if (media) media.example = exampleOf(media.schema, part)
    }
    Object.assign(operation.responses, responsesOf(refusals), REFUSED)
    tags.add(part)
  }
  return {
    ...document,
    components: {
      ...document.components,
      examples: refusalExamples(usedCodes),
      responses: { Connection: refusalResponseFor(CONNECTION_CODES), Trouble: refusalResponseFor(TROUBLE_CODES) },
    },
    tags: [...tags].toSorted().map((name) => ({ name, description: descriptions[name] })),
  }
}
