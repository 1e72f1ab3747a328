import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ZodError } from 'zod'
import { ERRORS, type ErrorBody, type ErrorCode, Refusal, statusOf } from '#contract/errors.ts'
import { FIELD_CODES, FILLED_FIELDS } from '#contract/field-refusals.ts'
import { isUnavailable } from '#server/platform/db/run.ts'

/** How long a caller waits before asking again while the bank is in trouble, in seconds. */
const TROUBLE_SECONDS = 2

type Issue = ZodError['issues'][number]

function codeOf(field: string | undefined, issue: Issue, input: unknown): ErrorCode {
  if (field === undefined) return 'request_invalid'
  if (FILLED_FIELDS.has(field) && (input === undefined || issue.code === 'too_small')) return 'fields_missing'
  if (field.endsWith('Minor')) return 'amount_invalid'
  return FIELD_CODES.get(field) ?? 'request_invalid'
}

/** Whatever a field that does not fit may be refused with. */
export const codesOf = (field: string): ErrorCode[] =>
  [undefined, ''].map((input) => codeOf(field, { code: 'custom', path: [], message: '' }, input))

/**
 * What a person reads when a request does not fit its schema: the first thing wrong, in the order the schema
 * lists its fields, which is the order the screens check them in.
 */
export function refusalOfInvalid(input: unknown, error: ZodError): Refusal {
  const [issue] = error.issues
  if (!issue) return new Refusal('request_invalid')
  if (issue.code === 'unrecognized_keys')
    return new Refusal('request_invalid', [...issue.path, ...issue.keys.slice(0, 1)].join('.'))
  const field = issue.path.length > 0 ? issue.path.join('.') : undefined
  const value =
    field !== undefined && typeof input === 'object' && input !== null
      ? (input as Record<string, unknown>)[field]
      : undefined
  return new Refusal(codeOf(field, issue, value), field)
}

/** The codes of what Hono itself refuses, by status; any other below 500 is `request_invalid`. */
const HTTP_CODES: Record<number, ErrorCode> = {
  404: 'not_found',
  413: 'request_too_large',
  415: 'media_type_unsupported',
}

/** Whatever was thrown, as a code of the catalogue. Nothing of an error that is not a Refusal is ever shown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException) {
    return new Refusal(HTTP_CODES[error.status] ?? (error.status < 500 ? 'request_invalid' : 'unexpected'))
  }
  return new Refusal(isUnavailable(error) ? 'unavailable' : 'unexpected')
}

export function bodyOf(refusal: Refusal): ErrorBody {
  const { message } = ERRORS[refusal.code]
  return { error: { code: refusal.code, message, ...(refusal.field === undefined ? {} : { field: refusal.field }) } }
}

/** Writes a refusal as every failure is written. */
export function refusalResponse(c: Context, refusal: Refusal): Response {
  const status = statusOf(refusal.code)
  const seconds = refusal.retryAfterSeconds ?? (status === 503 ? TROUBLE_SECONDS : undefined)
  const headers = seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
  return c.json(bodyOf(refusal), status satisfies ContentfulStatusCode, headers)
}
