import { type RouteConfig, z } from '@hono/zod-openapi'
import { ERRORS, type ErrorCode, statusOf } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { codesOf } from '#server/platform/http/errors.ts'

/** What any request may be refused for: before a route is found, when the bank is in trouble, and by every route. */
export const OF_THE_CONNECTION = [
  'request_too_slow',
  'request_too_large',
  'headers_too_large',
  'expectation_refused',
] as const
export const OF_TROUBLE = ['unexpected', 'unavailable'] as const
const OF_ANY = ['request_invalid', 'too_many_requests'] as const

type JsonSchema = { [Key in 'anyOf' | 'oneOf' | 'allOf']?: JsonSchema[] } & {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** The fields of a schema, each by its path. */
function fieldsOf({ properties = {}, items, anyOf, oneOf, allOf }: JsonSchema, path: string[] = []): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      [...path, name].join('.'),
      ...fieldsOf(field, [...path, name]),
    ]),
    ...[...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].flatMap((part) => fieldsOf(part, path)),
    ...(items ? fieldsOf(items, [...path, '0']) : []),
  ]
}

/** The schemas of what a route is sent. */
export function schemasOf({ request }: RouteConfig): { query?: z.ZodType; body?: z.ZodType } {
  const media = request?.body?.content['application/json']
  const body = media && 'schema' in media ? media.schema : undefined
  return {
    ...(request?.query instanceof z.ZodType ? { query: request.query } : {}),
    ...(body instanceof z.ZodType ? { body } : {}),
  }
}

/** All that a route may refuse. */
export function refusalsOf(route: RouteConfig): ReadonlySet<ErrorCode> {
  const fields = Object.values(schemasOf(route)).flatMap((schema) =>
    fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema),
  )
  return new Set([
    ...OF_ANY,
    ...((route as { 'x-refuses'?: ErrorCode[] })['x-refuses'] ?? []),
    ...fields.flatMap(codesOf),
  ])
}

const HEADERS = {
  [STEP_UP_HEADER]: {
    description:
      'With `step_up_required`: the token to give a proof to at /step-ups/{token}. Send the same request again with it.',
    schema: { type: 'string' },
  },
}

const errorOf = (codes: readonly ErrorCode[]) => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: codes },
        message: { type: 'string', description: 'For a person' },
        field: { type: 'string', description: 'The part of the request that is at fault' },
      },
    },
  },
})

/** The response of these codes, which have one status. */
export const refused = (codes: readonly ErrorCode[]) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}. Nothing was changed.`,
  ...(codes.includes('step_up_required') ? { headers: HEADERS } : {}),
  content: {
    'application/json': {
      schema: errorOf(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** A response for each status that these codes have. */
export const responsesOf = (codes: Iterable<ErrorCode>) =>
  Object.fromEntries(
    Object.entries(Object.groupBy([...codes].toSorted(), statusOf)).map(([status, some]) => [status, refused(some)]),
  )

/** Each of these as it is answered. */
export const refusalExamples = (codes: Iterable<ErrorCode>) =>
  Object.fromEntries(
    [...codes].map((code) => [
      code,
      { summary: ERRORS[code].message, value: { error: { code, message: ERRORS[code].message } } },
    ]),
  )
