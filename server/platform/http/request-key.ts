import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Refusal } from '#contract/errors.ts'
import { isDerived, isUuid } from '#server/platform/uuid.ts'

/**
 * The identity of a request, however often the request is sent. `operationId`: the client's Idempotency-Key. If the request
 * moves money, it is also the operation's id. `fingerprint`: a digest of the request's content. `customerId`: the customer, if
 * signed in.
 */
export type RequestKey = { operationId: string; fingerprint: string; customerId?: string }

/**
 * Checks an Idempotency-Key. Throws Refusal `idempotency_key_missing`, `idempotency_key_invalid` or `idempotency_key_reserved`.
 */
export function readKey(header: string | undefined): string {
  if (header === undefined || header === '') throw new Refusal('idempotency_key_missing')
  const key = header.toLowerCase()
  if (!isUuid(key)) throw new Refusal('idempotency_key_invalid')
  if (isDerived(key)) throw new Refusal('idempotency_key_reserved')
  return key
}

type KeyedRequest = { method: string; path: string; customerId: string | null; body: unknown }

/**
 * Returns a digest of a request's content and its customer. The body is the schema's output in canonical JSON (RFC 8785).
 * Throws Refusal `request_invalid` for a body with a lone surrogate, which has no canonical form.
 */
export function fingerprintOfRequest({ method, path, customerId, body }: KeyedRequest): string {
  return hash('sha256', `${method} ${path} ${customerId ?? ''} ${canonical(body ?? null)}`, 'base64url')
}

function canonical(body: unknown): string | undefined {
  try {
    return canonicalize(body)
  } catch (error) {
    throw new Refusal('request_invalid', undefined, { cause: error })
  }
}
