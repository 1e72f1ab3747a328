import { t } from '@lingui/core/macro'
import { type ClientResponse, hc } from 'hono/client'
import { type ErrorCode, Refusal, UNDECIDED } from '#contract/errors.ts'
import type { Me } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Api } from '#server/api.ts'
import { waitForPrefetchedVisit, takePrefetched } from '#web/lib/prefetched.ts'
import { waitText } from '#web/i18n/wait-time.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { finishDeferredSignOut } from '#web/lib/deferred-sign-out.ts'
import { withJitter } from '#web/lib/jitter.ts'
import { checkConnection, noteResponse, noteFailedRequest } from '#web/lib/connection.ts'

const VISIT = '/api/v1/session/visit'
const TIMEOUT_MS = 20_000
/** The time limit of a request with `long`. It does not include the response body of a read, such as a download. */
const LONG_TIMEOUT_MS = 120_000
/** If a response takes longer than this, the app checks the connection. */
const SLOW_MS = 6_000
const IDEMPOTENCY_KEY = 'idempotency-key'

/** A request that waits for the customer's step-up check. */
export type WaitingRequest = { method: string; path: string; body: unknown }

let runningVisit: Promise<Response> | null = null
let signInRequired: () => void = () => {}
let customerChanged: (me: Me) => void = () => {}
let visitRefused: (message: string) => void = () => {}
let stepUp: (token: string, request: WaitingRequest) => Promise<boolean> = async () => false
/** True once a request on this page has succeeded. */
let hasSession = false
/** The step-up proofs of requests with an unknown outcome, by idempotency key. A retry uses the same proof. */
const proofs = new Map<string, string>()

/** Sets the handler that is called when a request needs a signed-in customer and no customer is signed in. */
export function onSignInRequired(handler: () => void): void {
  signInRequired = handler
}

/** Sets the handler that is called when the sample bank temporarily accepts no new visitors. `message` is the reason. */
export function onVisitRefused(handler: (message: string) => void): void {
  visitRefused = handler
}

/** Sets the handler that is called when a new session replaces an ended one. The new session may belong to another customer. */
export function onCustomerChanged(handler: (me: Me) => void): void {
  customerChanged = handler
}

/**
 * Sets the handler that lets the customer complete a step-up check. `token` identifies the check. The handler resolves to false
 * if the customer cancels.
 */
export function onStepUp(handler: (token: string, request: WaitingRequest) => Promise<boolean>): void {
  stepUp = handler
}

/** Starts a visitor's session. Simultaneous requests without a session share one visit. */
function visit(): Promise<Response> {
  runningVisit ??= attempt(VISIT, { method: 'POST' })
    .then(async (response) => {
      if (!response.ok) return response
      const me = (await response.json()) as Me
      if (hasSession) customerChanged(me)
      return response
    })
    .finally(() => {
      runningVisit = null
    })
  return runningVisit
}

/**
 * The error of a request on which the server made no decision: no response arrived, or the server itself failed. `retriable` is
 * true if a second attempt cannot carry out the request twice.
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

/**
 * Returns whether a request can be repeated safely. Reads can always be repeated. Other requests need an idempotency key,
 * because the server carries out the requests with the same key only once.
 */
function canRepeat({ method = 'GET', headers }: RequestInit): boolean {
  return isRead(method) || new Headers(headers).has(IDEMPOTENCY_KEY)
}

function isRead(method: string): boolean {
  return ['GET', 'HEAD'].includes(method.toUpperCase())
}

/**
 * Adds an idempotency key, which the API requires on every POST that creates a record. Callers that give no key do not retry,
 * so a random key is sufficient.
 */
function withAnyKey(init: Init): Init {
  if (init.method?.toUpperCase() !== 'POST') return init
  const headers = new Headers(init.headers)
  if (!headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, crypto.randomUUID())
  return { ...init, headers }
}

/** Reads the complete body of the response to a write. A response that breaks off counts as no response. */
async function readWhole(response: Response): Promise<Response> {
  // For statuses without a body, such as 204, the constructor of `Response` accepts null but no empty text.
  return new Response((await response.text()) || null, response)
}

/**
 * The options of a request. `long` marks a large upload or download; `onSent` is called with the fraction that was sent, 0 to
 * 1.
 */
export type Init = RequestInit & { long?: { onSent?: (fraction: number) => void } }

/** Request options for a large response. */
export const LONG = { long: {} } as const satisfies Init

async function send(input: RequestInfo | URL, init: Init): Promise<Response> {
  if (!init.long?.onSent) return fetch(input, init)
  const { fetchWithProgress } = await import('#web/lib/fetch-with-progress.ts')
  return fetchWithProgress(input, init, init.long.onSent)
}

/** Sends a request once. Throws RequestFailed: `unreachable` if no response arrived, or the server's code after a 5xx. */
async function attempt(input: RequestInfo | URL, init: Init = {}): Promise<Response> {
  const timeout = new AbortController()
  const lateTimer = setTimeout(() => timeout.abort(), init.long ? LONG_TIMEOUT_MS : TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
  const slowTimer = setTimeout(checkConnection, SLOW_MS)
  const sendOnce = () => send(input, { ...withAnyKey(init), signal, credentials: 'same-origin' })
  const response = await (takePrefetched(input, init.method)?.catch(sendOnce) ?? sendOnce())
    .then((answer) => (isRead(init.method ?? 'GET') ? answer : readWhole(answer)))
    .catch((error: unknown) => {
      if (init.signal?.aborted) throw error
      noteFailedRequest()
      throw new RequestFailed('unreachable', canRepeat(init), { cause: error })
    })
    .finally(() => {
      clearTimeout(slowTimer)
      // Without `long`, the time limit includes the body of the response.
      if (init.long) clearTimeout(lateTimer)
    })
  if (response.status < 500) {
    noteResponse()
    return response
  }
  const { code, retryAfterSeconds } = await refusalOf(response)
  throw new RequestFailed(code, canRepeat(init), { retryAfterSeconds })
}

/** The running requests that the customer can still stop, by idempotency key. */
const underway = new Map<string, AbortController>()

/**
 * Stops a request on this device. The bank may already have received the request. A stopped request does not ask for a step-up
 * check.
 */
export function stopRequest(key: string): void {
  underway.get(key)?.abort()
}

/** The preparations that must finish before a request is sent, by idempotency key. */
const preparations = new Map<string, () => Promise<void>>()

/** Sets the preparation before each attempt of the request with this key. Returns a function that removes it. */
export function beforeSending(key: string, prepare: () => Promise<void>): () => void {
  preparations.set(key, prepare)
  return () => void preparations.delete(key)
}

/** The controller that is aborted when the customer signs out. The results of that customer's requests are then ignored. */
let customer = new AbortController()

export const customerLeftSignal = (): AbortSignal => customer.signal

/**
 * Stops the running requests with an idempotency key after the customer has signed out. Without the session, the bank would
 * refuse them.
 */
export function stopRequests(): void {
  for (const stopping of underway.values()) stopping.abort()
  customer.abort()
  customer = new AbortController()
}

/**
 * Sends a customer's request, like `fetch`. After a 401 it starts a visitor's session, and sends a read again once. If the bank
 * refuses a session, the sign-in screen opens. If the request needs a step-up check, the customer completes the check, and the
 * same request is sent again with the proof. If the customer cancels, the original refusal is returned. No request is sent
 * while the session of the previous customer still has to end.
 */
export async function apiFetch(input: RequestInfo | URL, init: Init = {}): Promise<Response> {
  if (!(await finishDeferredSignOut())) {
    signInRequired()
    throw new RequestFailed('unreachable', false)
  }
  await waitForPrefetchedVisit()
  const key = new Headers(init.headers).get(IDEMPOTENCY_KEY)
  if (key === null) return confirmedFetch(input, init, null)
  const stopController = new AbortController()
  underway.set(key, stopController)
  const signal = init.signal ? AbortSignal.any([init.signal, stopController.signal]) : stopController.signal
  try {
    await preparations.get(key)?.()
    return await confirmedFetch(input, { ...init, signal }, key)
  } finally {
    if (underway.get(key) === stopController) underway.delete(key)
  }
}

async function confirmedFetch(input: RequestInfo | URL, init: Init, key: string | null): Promise<Response> {
  const storedProof = key === null ? undefined : proofs.get(key)
  const response = await attempt(input, storedProof === undefined ? init : withProof(init, storedProof))
  if (key !== null) proofs.delete(key)
  if (response.status === 401) return afterVisit(response, input, init)
  hasSession ||= response.ok
  const token = stepUpToken(response)
  if (token === null || init.signal?.aborted || !(await stepUp(token, describe(input, init)))) return response
  if (key !== null) proofs.set(key, token)
  const confirmedResponse = await attempt(input, withProof(init, token))
  if (key !== null) proofs.delete(key)
  // If the bank refuses the proof of a check that was just completed, the customer is not asked for the check again. The
  // customer sees the refusal as an error.
  if (stepUpToken(confirmedResponse) !== null) throw new Refusal('proof_refused')
  return confirmedResponse
}

function withProof(init: Init, token: string): Init {
  const headers = new Headers(init.headers)
  headers.set(STEP_UP_HEADER, token)
  return { ...init, headers }
}

async function afterVisit(response: Response, input: RequestInfo | URL, init: Init): Promise<Response> {
  const visitResponse = await visit()
  // After a visit, only reads are repeated, because the new session may belong to another customer.
  if (visitResponse.ok) return isRead(init.method ?? 'GET') ? attempt(input, init) : response
  if (visitResponse.status === 401) signInRequired()
  if (visitResponse.status === 429) visitRefused(messageOf(await refusalOf(visitResponse.clone())))
  return visitResponse.clone()
}

function stepUpToken(response: Response): string | null {
  return response.status === 403 ? response.headers.get(STEP_UP_HEADER) : null
}

function describe(input: RequestInfo | URL, init: RequestInit): WaitingRequest {
  // The base only completes a relative path; no request goes to it.
  const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
  return { method: init.method?.toUpperCase() ?? 'GET', path: pathname, body }
}

/** Returns whether a value has the form of an error code. A newer server may send a code that this page does not have. */
function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && /^[a-z_]+$/.test(code)
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

type FailedResponse = Pick<Response, 'status' | 'json'> & { headers?: Pick<Headers, 'get'> }

/** Returns the refusal in the body of an unsuccessful response. */
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

/** Returns the message for any error, with the time of the next possible attempt if it is known. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Refusal)) return errorText('unexpected')
  const { code, message, retryAfterSeconds } = error
  if (code !== 'too_many_requests' || retryAfterSeconds === undefined) return errorText(code, message)
  const inSomeTime = waitText(retryAfterSeconds)
  return t({
    message: `Too many attempts. Try again ${inSomeTime}`,
    comment: '{inSomeTime} is a span of time, such as in 12 minutes',
  })
}

/** Returns whether an error is the server's final decision, so that a repeated request would get the same response. */
export function isFinalError(error: unknown): boolean {
  return error instanceof Refusal && !UNDECIDED.includes(error.code)
}

/** Returns whether a failed request can be sent again without being carried out twice. */
export function isRetriableError(error: unknown): boolean {
  return error instanceof RequestFailed && error.retriable
}

/**
 * Returns the delay before the next attempt, in milliseconds. It is the longer of `ms` and the `Retry-After` of an overloaded
 * server, times a random factor from 1 to 1.5. The randomness keeps pages from retrying at the same moment.
 */
export function retryDelay(ms: number, error: unknown): number {
  const retryAfterMs = error instanceof Refusal ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  return Math.max(ms, retryAfterMs) * (1 + withJitter(1) / 2)
}

/** Returns whether the customer canceled the step-up check. No message is needed then. */
export function isCanceledError(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'step_up_required'
}

/** The API client of this browser's customer, with the types of the server. */
export const api = hc<Api>('/', { fetch: apiFetch }).api.v1

/** The API client for requests that must not start a visitor's session or ask for a step-up check, such as sign-in. */
export const anonymousApi = hc<Api>('/', { fetch: attempt }).api.v1

/** Returns the body of a successful response; undefined if it is empty. Throws Refusal. */
export async function unwrap<T>(request: Promise<ClientResponse<T>>): Promise<T> {
  const response = await request
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/**
 * Returns request options with an idempotency key. The server carries out requests with the same key once, so a request whose
 * response is lost can be sent again.
 */
export function withIdempotencyKey(key: string) {
  return { headers: { [IDEMPOTENCY_KEY]: key } }
}

/** Returns request options for a large upload. `onSent` is called with the fraction that was sent, 0 to 1. */
export function withProgress(onSent?: (fraction: number) => void, signal?: AbortSignal) {
  const init: Init = { long: { ...(onSent && { onSent }) }, ...(signal && { signal }) }
  return { init }
}

/** Returns request options with a signal that cancels the request. */
export function withSignal(signal: AbortSignal) {
  return { init: { signal } }
}
