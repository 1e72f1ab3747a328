import { type ClientResponse, hc } from 'hono/client'
import { ERRORS, type ErrorCode, Refusal } from '#contract/errors.ts'
import type { Api } from '#server/api.ts'

const VISIT = '/api/v1/session/visit'
const TIMEOUT_MS = 20_000

let visiting: Promise<Response> | null = null
let signInRequired: () => void = () => {}
let customerChanged: () => void = () => {}
/** Whether the bank has answered anybody here yet. */
let known = false

/** What to do where the bank asks to sign in and makes nobody a customer silently. */
export function onSignInRequired(handler: () => void): void {
  signInRequired = handler
}

/** What to do where the session has ended and a new customer stands in for the one before. */
export function onCustomerChanged(handler: () => void): void {
  customerChanged = handler
}

/** Asks for a session once, however many requests found out at the same time that there is none. */
function visit(): Promise<Response> {
  visiting ??= attempt(VISIT, { method: 'POST' })
    .then(async (answer) => {
      if (!answer.ok) return answer
      await answer.body?.cancel()
      if (known) customerChanged()
      return answer
    })
    .finally(() => {
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
  if (answer.status !== 401) {
    known ||= answer.ok
    return answer
  }
  const visited = await visit()
  // A request that does something is not asked again by itself: after a visit it may be another customer who asks.
  const reads = ['GET', 'HEAD'].includes(init?.method?.toUpperCase() ?? 'GET')
  if (visited.ok) return reads ? attempt(input, init) : answer
  if (visited.status === 401) signInRequired()
  return visited.clone()
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

/** The refusal that an unsuccessful answer carries, in the catalogue's words. */
export async function refusalOf(answer: Pick<Response, 'status' | 'json'>): Promise<Refusal> {
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

/** The API, typed by the server that answers it. */
export const bank = hc<Api>('/', { fetch: bankFetch }).api.v1

/** What the bank answered, or its refusal thrown. */
export async function answerOf<T>(asked: Promise<ClientResponse<T>>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw await refusalOf(answer)
  return (await answer.json()) as T
}

/** Options of a request that does something: `key` names it across tries. */
export function named(key: string) {
  return { headers: { 'idempotency-key': key } }
}

/** Options of a request that may be given up. */
export function until(signal: AbortSignal) {
  return { init: { signal } }
}
