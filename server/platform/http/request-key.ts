import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Refusal } from '#contract/errors.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** UUIDs of version 8 name what follows from another operation: the bank derives them, and a client has none. */
const DERIVED = /^.{14}8/

/**
 * What makes a request one request however often it is sent: the client's Idempotency-Key, which is the operation's id
 * where it moves money, and a digest of what it asks.
 */
export type RequestKey = { operationId: string; fingerprint: string }

/** Throws Refusal `idempotency_key_missing`, `idempotency_key_invalid` or `idempotency_key_reserved`. */
export function readKey(header: string | undefined): string {
  if (header === undefined || header === '') throw new Refusal('idempotency_key_missing')
  const key = header.toLowerCase()
  if (!UUID.test(key)) throw new Refusal('idempotency_key_invalid')
  if (DERIVED.test(key)) throw new Refusal('idempotency_key_reserved')
  return key
}

type Asked = { method: string; path: string; customerId: string | null; body: unknown }

/** A digest of what a request asks and who asks it; the body as its schema let it through, in canonical JSON (RFC 8785). */
export function fingerprintOfRequest({ method, path, customerId, body }: Asked): string {
  return hash('sha256', `${method} ${path} ${customerId ?? ''} ${canonicalize(body ?? null)}`, 'base64url')
}
