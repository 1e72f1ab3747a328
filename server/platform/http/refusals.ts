import { type RouteConfig, z } from '@hono/zod-openapi'
import { ERRORS, type ErrorCode, statusOf } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { invalidFieldCodes } from '#server/platform/http/errors.ts'

/** The codes that any request may be refused with: before a route is found, when the bank is in trouble, and in every route. */
export const CONNECTION_CODES = [
  'request_too_slow',
  'request_too_large',
  'headers_too_large',
  'expectation_refused',
] as const
export const TROUBLE_CODES = ['unexpected', 'unavailable'] as const
const OF_ANY = ['request_invalid', 'too_many_requests'] as const

type JsonSchema = { [Key in 'anyOf' | 'oneOf' | 'allOf']?: JsonSchema[] } & {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** Returns the paths of a schema's fields. */
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

/** Returns the schemas of a route's input. */
export function schemasOf({ request }: RouteConfig): { query?: z.ZodType; body?: z.ZodType } {
  const media = request?.body?.content['application/json']
  const body = media && 'schema' in media ? media.schema : undefined
  return {
    ...(request?.query instanceof z.ZodType ? { query: request.query } : {}),
    ...(body instanceof z.ZodType ? { body } : {}),
  }
}

/** Returns all codes that a route may refuse with. */
export function refusalsOf(route: RouteConfig): ReadonlySet<ErrorCode> {
  const fields = Object.values(schemasOf(route)).flatMap((schema) =>
    fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema),
  )
  return new Set([
    ...OF_ANY,
    ...((route as { 'x-refuses'?: ErrorCode[] })['x-refuses'] ?? []),
    ...fields.flatMap(invalidFieldCodes),
  ])
}

const HEADERS = {
  [STEP_UP_HEADER]: {
    description:
      'With `step_up_required`: the token of the step-up. Confirm it at /step-ups/{token}, then repeat the request with this header.',
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

/** Describes the response for these codes, which must have the same status. */
export const refusalResponseFor = (codes: readonly ErrorCode[]) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}. Nothing was changed.`,
  ...(codes.includes('step_up_required') ? { headers: HEADERS } : {}),
  content: {
    'application/json': {
      schema: errorOf(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** Describes a response for each status of these codes. */
export const responsesOf = (codes: Iterable<ErrorCode>) =>
  Object.fromEntries(
    Object.entries(Object.groupBy([...codes].toSorted(), statusOf)).map(([status, codesOfStatus]) => [
      status,
      refusalResponseFor(codesOfStatus),
    ]),
  )

/** Returns an example body for each of these codes. */
export const refusalExamples = (codes: Iterable<ErrorCode>) =>
  Object.fromEntries(
    [...codes].map((code) => [
      code,
      { summary: ERRORS[code].message, value: { error: { code, message: ERRORS[code].message } } },
    ]),
  )
