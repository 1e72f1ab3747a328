import { type ClientResponse, hc } from 'hono/client'
import { v7 } from 'uuid'
import { ERRORS, type ErrorCode, Refusal } from '#contract/errors.ts'
import { type Me, STEP_UP_HEADER } from '#contract/identity.ts'
import type { Api } from '#server/api.ts'

const VISIT = '/api/v1/session/visit'
const TIMEOUT_MS = 20_000

/** A request as a person may be asked about it. */
export type Asked = { method: string; path: string; body: unknown }

let visiting: Promise<Response> | null = null
let signInRequired: () => void = () => {}
let customerChanged: (me: Me) => void = () => {}
let stepUp: (token: string, asked: Asked) => Promise<boolean> = async () => false
/** Whether the bank has answered anybody here yet. */
let known = false
/** Proofs whose requests got no answer yet, by Idempotency-Key: the next try need not ask the person again. */
const proofs = new Map<string, string>()

/** What to do where the bank asks to sign in and makes nobody a customer silently. */
export function onSignInRequired(handler: () => void): void {
  signInRequired = handler
}

/** What to do where the session was not good any more and the bank says who it takes us for now. */
export function onCustomerChanged(handler: (me: Me) => void): void {
  customerChanged = handler
}

/**
 * How to ask a person to show once more who they are, where the bank wants that before it does what it was asked.
 * `token` names the step-up. The handler answers whether it was done; false is a change of mind.
 */
export function onStepUp(handler: (token: string, asked: Asked) => Promise<boolean>): void {
  stepUp = handler
}

/** Asks for a session once, however many requests found out at the same time that there is none. */
function visit(): Promise<Response> {
  visiting ??= attempt(VISIT, { method: 'POST' })
    .then(async (answer) => {
      if (!answer.ok) return answer
      const me = (await answer.json()) as Me
      if (known) customerChanged(me)
      return answer
    })
    .finally(() => {
      visiting = null
    })
  return visiting
}

/** A request that creates something needs a key. One that was given none is never sent again, so any will do. */
function withKey(init: RequestInit): RequestInit {
  if (init.method?.toUpperCase() !== 'POST') return init
  const headers = new Headers(init.headers)
  if (!headers.has('idempotency-key')) headers.set('idempotency-key', v7())
  return { ...init, headers }
}

/** One try. Throws Refusal('unreachable') where no answer came, so that callers know one kind of error. */
async function attempt(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  try {
    return await fetch(input, { ...withKey(init), signal, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refusal('unreachable')
  }
}

/**
 * `fetch` as the app uses it. Where the bank says 401 it asks for a session once and tries again; where it gets none,
 * the person is led to sign in. Where the bank wants to be shown once more who asks, the person is asked for it and the
 * same request goes out again, once, with what names the proof; who thinks better of it gets the bank's refusal.
 */
export async function bankFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const name = new Headers(init.headers).get('idempotency-key')
  const given = name === null ? undefined : proofs.get(name)
  const answer = await attempt(input, given === undefined ? init : withProof(init, given))
  if (name !== null) proofs.delete(name)
  if (answer.status === 401) return afterVisit(answer, input, init)
  known ||= answer.ok
  const token = tokenOfStepUp(answer)
  if (token === null || !(await stepUp(token, askedBy(input, init)))) return answer
  if (name !== null) proofs.set(name, token)
  const again = await attempt(input, withProof(init, token))
  if (name !== null) proofs.delete(name)
  // Whoever has just shown who they are is not asked the same again: something is amiss, and they should read so.
  if (tokenOfStepUp(again) !== null) throw new Refusal('proof_refused')
  return again
}

function withProof(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set(STEP_UP_HEADER, token)
  return { ...init, headers }
}

async function afterVisit(answer: Response, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const visited = await visit()
  // A request that does something is not asked again by itself: after a visit it may be another customer who asks.
  const reads = ['GET', 'HEAD'].includes(init.method?.toUpperCase() ?? 'GET')
  if (visited.ok) return reads ? attempt(input, init) : answer
  if (visited.status === 401) signInRequired()
  return visited.clone()
}

function tokenOfStepUp(answer: Response): string | null {
  return answer.status === 403 ? answer.headers.get(STEP_UP_HEADER) : null
}

function askedBy(input: RequestInfo | URL, init: RequestInit): Asked {
  // The base only completes a path; nothing is ever fetched from it.
  const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
  return { method: init.method?.toUpperCase() ?? 'GET', path: pathname, body }
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

type Answered = Pick<Response, 'status' | 'json'> & { headers?: Pick<Headers, 'get'> }

/** The refusal that an unsuccessful answer carries, in the catalogue's words. */
export async function refusalOf(answer: Answered): Promise<Refusal> {
  const body: unknown = await answer.json().catch(() => null)
  const error = (body as { error?: { code?: unknown; field?: unknown } } | null)?.error
  const seconds = Number(answer.headers?.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}
  if (isCode(error?.code))
    return new Refusal(error.code, typeof error.field === 'string' ? error.field : undefined, options)
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

/** True where the person was asked to show who they are and thought better of it: they know, so nothing is said. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'step_up_required'
}

/** The API, typed by the server that answers it. */
export const bank = hc<Api>('/', { fetch: bankFetch }).api.v1

/** The same for who stands at the door: it asks as whoever they are, and never makes a visitor a customer. */
export const door = hc<Api>('/', { fetch: attempt }).api.v1

/** What the bank answered (undefined where it had nothing to say), or its refusal thrown. */
export async function answerOf<T>(asked: Promise<ClientResponse<T>>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw await refusalOf(answer)
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Options of a request that does something: `key` names it across tries. */
export function named(key: string) {
  return { headers: { 'idempotency-key': key } }
}

/** Options of a request that may be given up. */
export function until(signal: AbortSignal) {
  return { init: { signal } }
}
