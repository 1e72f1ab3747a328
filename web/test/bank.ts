import { BatchInterceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import type { ExtractSchema } from 'hono/types'
import { type ErrorCode, ERRORS } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Api } from '#server/api.ts'
import type { HttpExchange } from '#server/test/recorded-bank.ts'
import { checkConnection, noteFailedRequest } from '#web/lib/connection.ts'
import { commands } from '#web/test/commands.ts'

/**
 * The simulated bank of component tests. By default it gives the responses of a real bank to its sample customer
 * (server/test/recorded-bank.ts). A test can replace them. Its responses have the types of `Api`, and the API's schemas check
 * them. A request that changes data fails the test unless the test has set a response to it.
 */

const ROOT = '/api/v1'

type Schema = ExtractSchema<Api>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type EndpointOf<M extends Method, Path extends string> = Schema[`${typeof ROOT}${Path}` &
  keyof Schema] extends infer Methods
  ? Methods extends { [K in `$${M}`]: infer Endpoint }
    ? Endpoint
    : never
  : never

/** The paths of the API for a method: '/goals/:id'. */
export type PathOf<M extends Method> = {
  [P in keyof Schema]: P extends `${typeof ROOT}${infer Rest}`
    ? `$${M}` extends keyof Schema[P]
      ? Rest
      : never
    : never
}[keyof Schema]

type Answer<Endpoint> = Endpoint extends { output: infer Output } ? Output : never
type RequestJson<Endpoint> = Endpoint extends { input: { json: infer Json } } ? Json : null

/** A request as a handler receives it. `query` contains the query parameters of the URL. */
export type RecordedRequest<Json = unknown> = {
  path: string
  params: Record<string, string>
  query: URLSearchParams
  /** The idempotency key. */
  key: string | null
  headers: Headers
  json: Json
}

type Handler = { method: string; pattern: RegExp; names: string[]; handle: (request: RecordedRequest) => unknown }

/** The result of a handler that builds the response itself. Other results are sent as JSON. */
class CustomResponse {
  readonly respond: () => Response | Promise<Response>
  /** False if the response simulates a proxy. Such a response is not checked against the API's schemas. */
  readonly isFromBank: boolean
  constructor(respond: () => Response | Promise<Response>, isFromBank = true) {
    this.respond = respond
    this.isFromBank = isFromBank
  }
}

/**
 * Answers with a refusal of this code. The type is `never`, here and below, so that a test can use it as the answer of any
 * endpoint.
 */
export const refusalAnswer = (code: ErrorCode, field?: string, headers: Record<string, string> = {}): never =>
  new CustomResponse(() => {
    const { status, message } = ERRORS[code]
    return Response.json({ error: { code, message, ...(field && { field }) } }, { status, headers })
  }) as never

/** Answers that a step-up check is required; `token` identifies the check. */
export const stepUpAnswer = (token: string): never =>
  refusalAnswer('step_up_required', undefined, { [STEP_UP_HEADER]: token })

/** Answers with `{}`, as a proxy does in place of the bank while the server is down. */
export const proxyAnswer = (status: number): never =>
  new CustomResponse(() => Response.json({}, { status }), false) as never

/** Gives no response, as after a lost connection. */
export const networkError = (): never => new CustomResponse(() => Response.error()) as never

/** Answers after `until` resolves. */
export const delayedAnswer = <T>(until: Promise<unknown>, answer: T): T =>
  new CustomResponse(async () => {
    await until
    const body: unknown = await answer
    return body instanceof CustomResponse ? body.respond() : responseOf(body)
  }) as never

const handlers: Handler[] = []
const contractErrors = new Set<string>()

/** All requests so far, the latest last. */
export const recordedRequests: (RecordedRequest & { method: string })[] = []

/** Returns the requests so far that change data. */
export const changeRequests = () => recordedRequests.filter(({ method }) => method !== 'GET')

/** Returns the function that sets the answers to one method. */
function answerSetter<M extends Method>(method: M) {
  return <Path extends PathOf<M>>(
    path: Path,
    answer:
      | Answer<EndpointOf<M, Path>>
      | ((
          request: RecordedRequest<RequestJson<EndpointOf<M, Path>>>,
        ) => Answer<EndpointOf<M, Path>> | Promise<Answer<EndpointOf<M, Path>>>),
  ): void => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    handlers.unshift({
      method: method.toUpperCase(),
      names,
      pattern: new RegExp(`^${ROOT}${path.replaceAll(/:\w+/g, '([^/]+)')}$`),
      handle: typeof answer === 'function' ? (answer as Handler['handle']) : () => answer,
    })
  }
}

/** Sets the bank's answers from now on. The last setting applies. The answer `{}` sends the status 204 without a body. */
export const bank = {
  get: answerSetter('get'),
  post: answerSetter('post'),
  put: answerSetter('put'),
  patch: answerSetter('patch'),
  delete: answerSetter('delete'),
  /** Returns the real bank's answer to its sample customer, so that a test can change a part of it. */
  recorded: async <Path extends PathOf<'get'>>(path: Path): Promise<Answer<EndpointOf<'get', Path>>> =>
    structuredClone((await commands.record(ROOT + path)).answer) as never,
}

function responseOf(answer: unknown): Response {
  if (answer instanceof Response) return answer
  return answer === undefined || isEmpty(answer) ? new Response(null, { status: 204 }) : Response.json(answer)
}

/** Returns whether an answer is `{}`, which stands for the status 204. */
const isEmpty = (answer: unknown) => answer !== null && typeof answer === 'object' && Object.keys(answer).length === 0

let isConnectionCut = false

/** Cuts the connection to the bank. The app detects the loss. */
export function cutConnection(): void {
  isConnectionCut = true
  // Two failures, because the app ignores a single lost response.
  noteFailedRequest()
  noteFailedRequest()
}

/** Restores the connection to the bank. The app detects it. */
export function restoreConnection(): void {
  isConnectionCut = false
  checkConnection()
}

async function answerTo(request: Request): Promise<Response> {
  if (isConnectionCut) return Response.error()
  const { pathname, search, searchParams } = new URL(request.url)
  const { method, headers } = request
  if (pathname === '/healthz') return Response.json({ status: 'alive' })
  const text = headers.get('content-type')?.startsWith('application/json') ? await request.clone().text() : ''
  const json: unknown = text === '' ? null : JSON.parse(text)
  const handler = handlers.find((candidate) => candidate.method === method && candidate.pattern.test(pathname))
  const values = handler?.pattern.exec(pathname)?.slice(1) ?? []
  const params = Object.fromEntries(handler?.names.map((name, index) => [name, values[index] ?? '']) ?? [])
  const recordedRequest = {
    method,
    path: pathname.slice(ROOT.length),
    params,
    query: searchParams,
    json,
    headers,
    key: headers.get('idempotency-key'),
  }
  recordedRequests.push(recordedRequest)
  if (!handler) return answerWithoutHandler(method, pathname + search)
  const answer = await handler.handle(recordedRequest)
  const response = answer instanceof CustomResponse ? await answer.respond() : responseOf(answer)
  if (response.type === 'error' || (answer instanceof CustomResponse && !answer.isFromBank)) return response
  await checkContract({ method, path: pathname, key: recordedRequest.key, body: json }, response)
  return response
}

/** Sends the real bank's answer to a request that only reads data. Any other request fails the test. */
async function answerWithoutHandler(method: string, path: string): Promise<Response> {
  if (method !== 'GET') {
    contractErrors.add(`The test sets no answer to ${method} ${path}`)
    return Response.json({ error: { code: 'unexpected', message: ERRORS.unexpected.message } }, { status: 500 })
  }
  const { status, answer } = await commands.record(path)
  return answer === null ? new Response(null, { status }) : Response.json(answer, { status })
}

/** Checks a request and its response against the API's schemas. */
async function checkContract(
  request: Pick<HttpExchange, 'method' | 'path' | 'key' | 'body'>,
  response: Response,
): Promise<void> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer: unknown = isJson ? await response.clone().json() : null
  const fault = await commands.faultOf({ ...request, status: response.status, answer })
  if (fault) contractErrors.add(fault)
}

/** Replaces the browser's EventSource. The page opens one for live events. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  readonly readyState = 1
  constructor() {
    super()
    streams.add(this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  close(): void {
    streams.delete(this)
  }
}

const streams = new Set<FakeEventSource>()

/** Sends the data of a live event to the page. */
export function emitLiveEvent(data: unknown): void {
  const message = new MessageEvent('message', { data: typeof data === 'string' ? data : JSON.stringify(data) })
  for (const stream of streams) stream.dispatchEvent(message)
}

/** Replaces the network for requests to the bank. */
const network = new BatchInterceptor({
  name: 'bank',
  interceptors: [new FetchInterceptor(), new XMLHttpRequestInterceptor()],
})
network.on('request', async ({ request, controller }) => {
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || !/^\/(api|healthz)(\/|$)/.test(pathname)) return
  controller.respondWith(await answerTo(request))
})
network.apply()
Object.assign(globalThis, { EventSource: FakeEventSource })

/** Removes the settings of a test. Throws if a simulated answer or a request violated the API's contract. */
export function resetBank(): void {
  isConnectionCut = false
  handlers.length = 0
  recordedRequests.length = 0
  streams.clear()
  const errors = [...contractErrors].join('\n')
  contractErrors.clear()
  if (errors !== '') throw new Error(errors)
}
