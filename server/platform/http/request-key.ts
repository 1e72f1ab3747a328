import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Refusal } from '#contract/errors.ts'
import { isDerived, isUuid } from '#server/platform/uuid.ts'

/**
 * What makes a request one request however often it is sent: the client's Idempotency-Key, which is the operation's id
 * where it moves money, a digest of what it asks, and who asks, where they are signed in.
 */
export type RequestKey = { operationId: string; fingerprint: string; customerId?: string }

/** Throws Refusal `idempotency_key_missing`, `idempotency_key_invalid` or `idempotency_key_reserved`. */
export function readKey(header: string | undefined): string {
  if (header === undefined || header === '') throw new Refusal('idempotency_key_missing')
  const key = header.toLowerCase()
  if (!isUuid(key)) throw new Refusal('idempotency_key_invalid')
  if (isDerived(key)) throw new Refusal('idempotency_key_reserved')
  return key
}

type Asked = { method: string; path: string; customerId: string | null; body: unknown }

/**
 * A digest of what a request asks and who asks it; the body as its schema let it through, in canonical JSON (RFC 8785).
 * Throws Refusal `request_invalid` for a body with half a surrogate pair, which has no such form.
 */
export function fingerprintOfRequest({ method, path, customerId, body }: Asked): string {
  return hash('sha256', `${method} ${path} ${customerId ?? ''} ${canonical(body ?? null)}`, 'base64url')
}

function canonical(body: unknown): string | undefined {
  try {
    return canonicalize(body)
  } catch (error) {
    throw new Refusal('request_invalid', undefined, { cause: error })
  }
}
