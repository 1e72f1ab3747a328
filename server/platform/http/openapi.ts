import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ErrorCode } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { type BodySchema, exampleOf } from '#server/platform/http/examples.ts'
import {
  OF_THE_CONNECTION,
  OF_TROUBLE,
  refusalExamples,
  refusalsOf,
  refused,
  responsesOf,
} from '#server/platform/http/refusals.ts'
import { routesOf } from '#server/platform/http/described.ts'

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
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'Whoever runs this bank' },
  description:
    'The bank behind the app. Amounts are whole numbers of minor units next to their asset; times are ISO 8601 in UTC, and days are ' +
    'those of the zone that the bank was made with (BANK_TIME_ZONE). ' +
    'A session cookie says who asks; POST /api/v1/session/visit gives one. Requests that change something carry the ' +
    "Origin of the bank's own address.",
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

/** What any request may meet. */
const REFUSED = {
  '4XX': { $ref: '#/components/responses/Connection' },
  '5XX': { $ref: '#/components/responses/Trouble' },
}

/** 'POST /api/v1/goals/{id}/lock' as 'postGoalsIdLock': what programs made from the document call an operation. */
const operationIdOf = (method: string, path: string): string =>
  method +
  path
    .replace('/api/v1', '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The parts of the API, and what is in each. */
export type ApiTags = Readonly<Record<string, string>>

/** The whole API as an OpenAPI 3.1 document: each operation with its refusals, and with examples of its bodies. */
export function openApiDocument(api: OpenAPIHono<ApiEnv>, descriptions: ApiTags): object {
  const { openAPIRegistry: registry } = api
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'alder',
    description: 'Named __Host-alder where the bank is reached over https',
  })
  const servers = [{ url: '.', description: 'This bank' }]
  const document = api.getOpenAPI31Document({ openapi: '3.1.0', info: INFO, servers, security: [{ session: [] }] })
  const tags = new Set<string>()
  const used = new Set<ErrorCode>([...OF_THE_CONNECTION, ...OF_TROUBLE])
  for (const route of routesOf(api)) {
    const { method, path } = route
    const operation = document.paths?.[path]?.[method as 'get'] as Operation
    const refusals = refusalsOf(route)
    for (const code of refusals) used.add(code)
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
      examples: refusalExamples(used),
      responses: { Connection: refused(OF_THE_CONNECTION), Trouble: refused(OF_TROUBLE) },
    },
    tags: [...tags].toSorted().map((name) => ({ name, description: descriptions[name] })),
  }
}
