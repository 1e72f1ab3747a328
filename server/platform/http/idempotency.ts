import { hash } from 'node:crypto'
import type { Context } from 'hono'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { Booked, LedgerRefusal } from '#server/ledger/types.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** UUIDs of version 8 name what follows from another operation: the bank derives them, and a client has none. */
const DERIVED = /^.{14}8/

/** What makes a request one request however often it is sent: `operationId` is the client's key itself. */
export type RequestKey = { operationId: string; fingerprint: string }

/** JSON with the keys of every object in order, so that equal content is equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts: string[] = []
  for (const key of Object.keys(value).toSorted()) {
    const part = (value as Record<string, unknown>)[key]
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(part)}`)
  }
  return `{${parts.join()}}`
}

/** A digest of what a request asks and who asks it: its method, path, customer and the body that its schema let through. */
export function fingerprintOfRequest(c: Context<ApiEnv>): string {
  const body: unknown = c.req.valid('json' as never)
  const content = `${c.req.method} ${c.req.path} ${c.get('customer').id} ${canonical(body ?? null)}`
  return hash('sha256', content, 'base64url')
}

/** Throws Refusal `idempotency_key_missing`, `idempotency_key_invalid` or `idempotency_key_reserved`. */
function requestKey(c: Context<ApiEnv>): RequestKey {
  const header = c.req.header('idempotency-key')
  if (header === undefined || header === '') throw new Refusal('idempotency_key_missing')
  const operationId = header.toLowerCase()
  if (!UUID.test(operationId)) throw new Refusal('idempotency_key_invalid')
  if (DERIVED.test(operationId)) throw new Refusal('idempotency_key_reserved')
  return { operationId, fingerprint: fingerprintOfRequest(c) }
}

/** Refusals that the books decided: they are as final as a booking (docs/decisions/0003). */
const DECISIONS = [
  'insufficient_funds',
  'balance_limit_reached',
  'account_frozen',
  'account_closed',
] as const satisfies LedgerRefusal[]

function isDecision(code: ErrorCode): code is (typeof DECISIONS)[number] {
  return (DECISIONS as readonly ErrorCode[]).includes(code)
}

/**
 * Runs `handle` for a request that moves money. The Idempotency-Key is the ledger operation's id, so the ledger
 * applies it at most once. A rule that would refuse the request today (a recipient who has since left, say) does
 * not refuse its repetition: what was booked is answered again, by `replay`.
 */
export async function idempotent<Result>(
  c: Context<ApiEnv>,
  handle: (key: RequestKey) => Promise<Result>,
  replay: (booked: Booked) => Promise<Result>,
): Promise<Result> {
  const key = requestKey(c)
  try {
    return await handle(key)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    const { ledger } = c.get('deps')
    const booked = await ledger.find(key.operationId, key.fingerprint)
    if (booked) return replay(booked)
    if (isDecision(error.code)) {
      const { operationId: id, fingerprint } = key
      await ledger.remember({ id, fingerprint }, error.code)
    }
    throw error
  }
}
