import type { z } from 'zod'
import { ERRORS, type ErrorCode, Refusal } from '#contract/errors.ts'

const BASE = '/api/v1'
const TIMEOUT_MS = 20_000

let visiting: Promise<Response> | null = null
let signInRequired: () => void = () => {}

/** What to do where the bank asks to sign in and makes nobody a customer silently. */
export function onSignInRequired(handler: () => void): void {
  signInRequired = handler
}

/** Asks for a session once, however many requests found out at the same time that there is none. */
function visit(): Promise<Response> {
  visiting ??= attempt(`${BASE}/session/visit`, { method: 'POST' }).finally(() => {
    visiting = null
  })
  return visiting
}

/** One try. Throws Refusal('unreachable') where no answer came, so that callers know one kind of error. */
async function attempt(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  try {
    return await fetch(input, { ...init, signal, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refusal('unreachable')
  }
}

/**
 * `fetch` as the app uses it: where the bank says 401 it asks for a session once and tries again; where it gets
 * none, the person is led to sign in.
 */
export async function bankFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await attempt(input, init)
  if (answer.status !== 401) return answer
  const visited = await visit()
  if (visited.ok) return attempt(input, init)
  if (visited.status === 401) signInRequired()
  return visited.clone()
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

/** The refusal that an unsuccessful answer carries, in the catalogue's words. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const body: unknown = await answer.json().catch(() => null)
  const error = (body as { error?: { code?: unknown; field?: unknown } } | null)?.error
  if (isCode(error?.code)) return new Refusal(error.code, typeof error.field === 'string' ? error.field : undefined)
  return new Refusal([502, 503, 504].includes(answer.status) ? 'unavailable' : 'unexpected')
}

/** What a person reads about any error. */
export function messageOf(error: unknown): string {
  return error instanceof Refusal ? error.message : ERRORS.unexpected.message
}

/** True where asking again cannot help: the bank has understood and said no. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && error.status < 500
}

/** Reads. Throws Refusal. */
export async function get<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  const answer = await bankFetch(`${BASE}${path}`, signal ? { signal } : {})
  if (!answer.ok) throw await refusalOf(answer)
  return schema.parse(await answer.json())
}

/** Asks for something to be done; `key` names it across tries. Throws Refusal. */
export async function post<T>(path: string, body: unknown, key: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await bankFetch(`${BASE}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw await refusalOf(answer)
  return schema.parse(await answer.json())
}
