import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ZodError } from 'zod'
import { ERRORS, type ErrorBody, type ErrorCode, Refusal } from '#contract/errors.ts'
import { isUnavailable } from '#server/db/run.ts'

/** How long a caller waits before asking again while the bank is in trouble, in seconds. */
const RETRY_AFTER = '2'

type Issue = ZodError['issues'][number]

/** Fields that have a code, and so words, of their own. Every other field is `request_invalid`. */
function codeOf(field: string | undefined, issue: Issue, input: unknown): ErrorCode {
  switch (field) {
    case 'amountMinor':
      return 'amount_invalid'
    case 'method':
      return 'method_missing'
    case 'cursor':
      return 'cursor_invalid'
    case 'recipient':
      return input === undefined || issue.code === 'too_small' ? 'fields_missing' : 'recipient_invalid'
    default:
      return 'request_invalid'
  }
}

/**
 * What a person reads when a request does not fit its schema: the first thing wrong, in the order the schema
 * lists its fields, which is the order the screens check them in.
 */
export function refusalOfInvalid(input: unknown, error: ZodError): Refusal {
  const [issue] = error.issues
  if (!issue) return new Refusal('request_invalid')
  if (issue.code === 'unrecognized_keys') return new Refusal('request_invalid', [...issue.path, ...issue.keys.slice(0, 1)].join('.'))
  const field = issue.path.length > 0 ? issue.path.join('.') : undefined
  const value = field !== undefined && typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[field] : undefined
  return new Refusal(codeOf(field, issue, value), field)
}

function refusalOfHttp(error: HTTPException): Refusal {
  switch (error.status) {
    case 413:
      return new Refusal('request_too_large')
    case 415:
      return new Refusal('media_type_unsupported')
    case 404:
      return new Refusal('not_found')
    default:
      return new Refusal(error.status < 500 ? 'request_invalid' : 'unexpected')
  }
}

/** Whatever was thrown, as a code of the catalogue. Nothing of an error that is not a Refusal is ever shown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException) return refusalOfHttp(error)
  return new Refusal(isUnavailable(error) ? 'unavailable' : 'unexpected')
}

export function bodyOf(refusal: Refusal): ErrorBody {
  const { message } = ERRORS[refusal.code]
  return { error: { code: refusal.code, message, ...(refusal.field === undefined ? {} : { field: refusal.field }) } }
}

/** Writes a refusal as every failure is written. */
export function answerRefusal(c: Context, refusal: Refusal): Response {
  const headers = refusal.status === 503 ? { 'Retry-After': RETRY_AFTER } : undefined
  return c.json(bodyOf(refusal), refusal.status satisfies ContentfulStatusCode, headers)
}
