import { t } from '@lingui/core/macro'
import { type ClientResponse, hc } from 'hono/client'
import { type ErrorCode, Refusal, UNDECIDED } from '#contract/errors.ts'
import type { Me } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Api } from '#server/api.ts'
import { earlyVisitOver, takeEarly } from '#web/lib/early.ts'
import { inTime } from '#web/i18n/in-time.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { finishSignOut } from '#web/lib/late-sign-out.ts'
import { jittered } from '#web/lib/jitter.ts'
import { checkLine, lineAnswered, lineFailed } from '#web/lib/line.ts'

const VISIT = '/api/v1/session/visit'
const TIMEOUT_MS = 20_000
/** Of what is long under way or long in the making, its response may take so long to begin, and then as long as it takes. */
const LONG_TIMEOUT_MS = 120_000
/** A response that takes longer makes us doubt the line. */
const SLOW_MS = 6_000
const IDEMPOTENCY_KEY = 'idempotency-key'

/** A request that waits until the customer has confirmed it. */
export type WaitingRequest = { method: string; path: string; body: unknown }

let visiting: Promise<Response> | null = null
let signInRequired: () => void = () => {}
let customerChanged: (me: Me) => void = () => {}
let visitRefused: (message: string) => void = () => {}
let stepUp: (token: string, asked: WaitingRequest) => Promise<boolean> = async () => false
/** Whether a request has succeeded on this page yet. */
let hasSession = false
/** Proofs of requests whose outcome is unknown, by Idempotency-Key: a retry uses the same proof. */
const proofs = new Map<string, string>()

/** Sets what happens when a request needs a signed-in customer and there is none. */
export function onSignInRequired(handler: () => void): void {
  signInRequired = handler
}

/** Sets what happens when a sample bank accepts no new visitor just now; `message` says why. */
export function onVisitRefused(handler: (message: string) => void): void {
  visitRefused = handler
}

/** Sets what happens when a new session replaces an ended one, perhaps for another customer. */
export function onCustomerChanged(handler: (me: Me) => void): void {
  customerChanged = handler
}

/**
 * Sets how the customer confirms a request that needs step-up authentication. `token` names the step-up; the handler
 * resolves to false if the customer cancels.
 */
export function onStepUp(handler: (token: string, asked: WaitingRequest) => Promise<boolean>): void {
  stepUp = handler
}

/** Starts a visitor's session, once for all requests that find none at the same time. */
function visit(): Promise<Response> {
  visiting ??= attempt(VISIT, { method: 'POST' })
    .then(async (response) => {
      if (!response.ok) return response
      const me = (await response.json()) as Me
      if (hasSession) customerChanged(me)
      return response
    })
    .finally(() => {
      visiting = null
    })
  return visiting
}

/**
 * A request that failed without a decision: no response came, or the server itself failed. `retriable` says whether
 * sending it again can never carry it out twice.
 */
class RequestFailed extends Refusal {
  readonly retriable: boolean
  constructor(
    code: ErrorCode,
    retriable: boolean,
    options?: ErrorOptions & Partial<Pick<Refusal, 'retryAfterSeconds'>>,
  ) {
    super(code, undefined, options)
    this.retriable = retriable
  }
}

/** Reading is safe to repeat; anything else only under an Idempotency-Key, which the server applies once. */
function canRepeat({ method = 'GET', headers }: RequestInit): boolean {
  return isRead(method) || new Headers(headers).has(IDEMPOTENCY_KEY)
}

function isRead(method: string): boolean {
  return ['GET', 'HEAD'].includes(method.toUpperCase())
}

/** The API wants a key on every POST that creates something. One that was given none is not retried, so any will do. */
function withAnyKey(init: Init): Init {
  if (init.method?.toUpperCase() !== 'POST') return init
  const headers = new Headers(init.headers)
  if (!headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, crypto.randomUUID())
  return { ...init, headers }
}

/** What is sent is carried out or not by its whole response: one that breaks off is as good as none. */
async function whole(response: Response): Promise<Response> {
  // A response that may have no body is refused an empty one.
  return new Response((await response.text()) || null, response)
}

/** How a request is sent. `long`: what is sent or asked for is large; `onSent` is told how much of it has gone out, 0 to 1. */
export type Init = RequestInit & { long?: { onSent?: (fraction: number) => void } }

/** Request options: what is asked for is large. */
export const LONG = { long: {} } as const satisfies Init

async function send(input: RequestInfo | URL, init: Init): Promise<Response> {
  if (!init.long?.onSent) return fetch(input, init)
  const { fetchTelling } = await import('#web/lib/fetch-telling.ts')
  return fetchTelling(input, init, init.long.onSent)
}

/** One try. Throws RequestFailed `unreachable` if no response came, or with the server's code if it failed (5xx). */
async function attempt(input: RequestInfo | URL, init: Init = {}): Promise<Response> {
  const timeout = new AbortController()
  const late = setTimeout(() => timeout.abort(), init.long ? LONG_TIMEOUT_MS : TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
  const slow = setTimeout(checkLine, SLOW_MS)
  const sent = () => send(input, { ...withAnyKey(init), signal, credentials: 'same-origin' })
  const response = await (takeEarly(input, init.method)?.catch(sent) ?? sent())
    .then((came) => (isRead(init.method ?? 'GET') ? came : whole(came)))
    .catch((error: unknown) => {
      if (init.signal?.aborted) throw error
      lineFailed()
      throw new RequestFailed('unreachable', canRepeat(init), { cause: error })
    })
    .finally(() => {
      clearTimeout(slow)
      // Any other response has to be there as a whole by then.
      if (init.long) clearTimeout(late)
    })
  if (response.status < 500) {
    lineAnswered()
    return response
  }
  const { code, retryAfterSeconds } = await refusalOf(response)
  throw new RequestFailed(code, canRepeat(init), { retryAfterSeconds })
}

/** Requests under way that the customer may still stop, by their Idempotency-Key. */
const underway = new Map<string, AbortController>()

/** Stops a request as far as it can be: the bank may have it already. It asks for no confirmation any more. */
export function stopRequest(key: string): void {
  underway.get(key)?.abort()
}

/** What has to be done before a request is sent, by its Idempotency-Key. */
const preparations = new Map<string, () => Promise<void>>()

/** Sets what has to be done before each try of the request with this key. Returns a function that ends it. */
export function beforeSending(key: string, prepare: () => Promise<void>): () => void {
  preparations.set(key, prepare)
  return () => void preparations.delete(key)
}

/** Aborted when the customer has signed out: what they sent concerns nobody here any more. */
let customer = new AbortController()

export const customerHasLeft = (): AbortSignal => customer.signal

/** Stops what a customer was sending, who has signed out: the bank refuses it without their session. */
export function stopRequests(): void {
  for (const stopping of underway.values()) stopping.abort()
  customer.abort()
  customer = new AbortController()
}

/**
 * `fetch` for a customer's requests. On 401 it starts a session once and tries again, or leads to sign-in. If the
 * request needs step-up authentication, the customer confirms it and the same request is sent once more with the proof;
 * a customer who cancels gets the original refusal. Nothing is asked while the session of somebody who has left is to end.
 */
export async function apiFetch(input: RequestInfo | URL, init: Init = {}): Promise<Response> {
  if (!(await finishSignOut())) {
    signInRequired()
    throw new RequestFailed('unreachable', false)
  }
  await earlyVisitOver()
  const key = new Headers(init.headers).get(IDEMPOTENCY_KEY)
  if (key === null) return confirmedFetch(input, init, null)
  const stopping = new AbortController()
  underway.set(key, stopping)
  const signal = init.signal ? AbortSignal.any([init.signal, stopping.signal]) : stopping.signal
  try {
    await preparations.get(key)?.()
    return await confirmedFetch(input, { ...init, signal }, key)
  } finally {
    if (underway.get(key) === stopping) underway.delete(key)
  }
}

async function confirmedFetch(input: RequestInfo | URL, init: Init, key: string | null): Promise<Response> {
  const kept = key === null ? undefined : proofs.get(key)
  const response = await attempt(input, kept === undefined ? init : withProof(init, kept))
  if (key !== null) proofs.delete(key)
  if (response.status === 401) return afterVisit(response, input, init)
  hasSession ||= response.ok
  const token = stepUpToken(response)
  if (token === null || init.signal?.aborted || !(await stepUp(token, describe(input, init)))) return response
  if (key !== null) proofs.set(key, token)
  const confirmed = await attempt(input, withProof(init, token))
  if (key !== null) proofs.delete(key)
  // A customer who has just confirmed is not asked again: something is wrong, and they should read so.
  if (stepUpToken(confirmed) !== null) throw new Refusal('proof_refused')
  return confirmed
}

function withProof(init: Init, token: string): Init {
  const headers = new Headers(init.headers)
  headers.set(STEP_UP_HEADER, token)
  return { ...init, headers }
}

async function afterVisit(response: Response, input: RequestInfo | URL, init: Init): Promise<Response> {
  const visited = await visit()
  // Only reads are repeated: after a visit the session may be another customer's.
  if (visited.ok) return isRead(init.method ?? 'GET') ? attempt(input, init) : response
  if (visited.status === 401) signInRequired()
  if (visited.status === 429) visitRefused(messageOf(await refusalOf(visited.clone())))
  return visited.clone()
}

function stepUpToken(response: Response): string | null {
  return response.status === 403 ? response.headers.get(STEP_UP_HEADER) : null
}

function describe(input: RequestInfo | URL, init: RequestInit): WaitingRequest {
  // The base only completes a path; nothing is ever fetched from it.
  const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
  return { method: init.method?.toUpperCase() ?? 'GET', path: pathname, body }
}

/** A newer bank may answer a code that this page has never heard of. */
function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && /^[a-z_]+$/.test(code)
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

type FailedResponse = Pick<Response, 'status' | 'json'> & { headers?: Pick<Headers, 'get'> }

/** The refusal that an unsuccessful response carries. */
export async function refusalOf(response: FailedResponse): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null)
  const error = (body as { error?: { code?: unknown; field?: unknown; message?: unknown } } | null)?.error
  const seconds = Number(response.headers?.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  if (isCode(error?.code)) {
    return new Refusal(error.code, textIn(error.field), { retryAfterSeconds, message: textIn(error.message) })
  }
  return new Refusal([502, 503, 504].includes(response.status) ? 'unavailable' : 'unexpected')
}

/** The message to show for any error; where it is known when to come back, that too. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Refusal)) return errorText('unexpected')
  const { code, message, retryAfterSeconds } = error
  if (code !== 'too_many_requests' || retryAfterSeconds === undefined) return errorText(code, message)
  const inSomeTime = inTime(retryAfterSeconds)
  return t({ message: `Too many attempts. Try again ${inSomeTime}`, comment: '{inSomeTime}: "in 12 minutes"' })
}

/** Whether the server has decided: asking again gets the same response. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && !UNDECIDED.includes(error.code)
}

/** Whether a failed request may be sent again without carrying it out twice. */
export function isRetriable(error: unknown): boolean {
  return error instanceof RequestFailed && error.retriable
}

/**
 * How long to wait for another try, in milliseconds: `ms` and up to half as much again, at random, and no less than a bank
 * with too much to do asks for. Not all pages come back to it at the same moment.
 */
export function retryDelay(ms: number, error: unknown): number {
  const asked = error instanceof Refusal ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  return Math.max(ms, asked) * (1 + jittered(1) / 2)
}

/** Whether the customer cancelled the step-up. They know, so nothing is shown. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'step_up_required'
}

/** The API as the customer of this browser; the types are the server's own. */
export const api = hc<Api>('/', { fetch: apiFetch }).api.v1

/** The API before sign-in: a request never starts a visitor's session and never asks for step-up. */
export const anonymousApi = hc<Api>('/', { fetch: attempt }).api.v1

/** The body of a successful response, undefined if it is empty. Throws Refusal. */
export async function unwrap<T>(request: Promise<ClientResponse<T>>): Promise<T> {
  const response = await request
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Request options: the server applies requests with the same key once, so a lost response is retried. */
export function withIdempotencyKey(key: string) {
  return { headers: { [IDEMPOTENCY_KEY]: key } }
}

/** Request options: what is sent is large; `onSent` is told how much of it has gone out, 0 to 1. */
export function withProgress(onSent?: (fraction: number) => void, signal?: AbortSignal) {
  const init: Init = { long: { ...(onSent && { onSent }) }, ...(signal && { signal }) }
  return { init }
}

/** Request options: `signal` cancels it. */
export function withSignal(signal: AbortSignal) {
  return { init: { signal } }
}
