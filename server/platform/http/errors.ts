import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ZodError } from 'zod'
import { ERRORS, type ErrorBody, type ErrorCode, Refusal, statusOf } from '#contract/errors.ts'
import { FIELD_CODES, FILLED_FIELDS } from '#contract/field-refusals.ts'
import { isUnavailable } from '#server/platform/db/run.ts'

/** The pause before a client should retry while the bank is in trouble, in seconds. */
const TROUBLE_SECONDS = 2

type Issue = ZodError['issues'][number]

function codeOf(field: string | undefined, issue: Issue, input: unknown): ErrorCode {
  if (field === undefined) return 'request_invalid'
  if (FILLED_FIELDS.has(field) && (input === undefined || issue.code === 'too_small')) return 'fields_missing'
  if (field.endsWith('Minor')) return 'amount_invalid'
  return FIELD_CODES.get(field) ?? 'request_invalid'
}

/** Returns all error codes for an invalid value of a field. */
export const invalidFieldCodes = (field: string): ErrorCode[] =>
  [undefined, ''].map((input) => codeOf(field, { code: 'custom', path: [], message: '' }, input))

/**
 * Returns the refusal for a request that does not match its schema. It is about the first invalid field in the schema's order,
 * which is also the order in which the screens check the fields.
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

/** The codes of Hono's own refusals, by status. Any other status below 500 is `request_invalid`. */
const HTTP_CODES: Record<number, ErrorCode> = {
  404: 'not_found',
  413: 'request_too_large',
  415: 'media_type_unsupported',
}

/** Turns any error into a refusal with a code of the catalog. Details of an error that is not a Refusal are never shown. */
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

/** Returns the response for a refusal. All failures have this form. */
export function refusalResponse(c: Context, refusal: Refusal): Response {
  const status = statusOf(refusal.code)
  const seconds = refusal.retryAfterSeconds ?? (status === 503 ? TROUBLE_SECONDS : undefined)
  const headers = seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
  return c.json(bodyOf(refusal), status satisfies ContentfulStatusCode, headers)
}
