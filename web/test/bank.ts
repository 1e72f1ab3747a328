import { BatchInterceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import type { ExtractSchema } from 'hono/types'
import { type ErrorCode, ERRORS } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Api } from '#server/api.ts'
import type { Exchange } from '#server/test/recorded-bank.ts'
import { checkLine, lineFailed } from '#web/lib/line.ts'
import { commands } from '#web/test/commands.ts'

/**
 * The bank that component tests talk to. What a test does not say is what a real bank answers its sample customer
 * (server/test/recorded-bank.ts); what it does say is typed by `Api` and parsed by the API's own schemas. A request that
 * changes something and that the test does not expect fails it.
 */

const ROOT = '/api/v1'

type Schema = ExtractSchema<Api>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type EndpointOf<M extends Method, Path extends string> = Schema[`${typeof ROOT}${Path}` & keyof Schema] extends infer At
  ? At extends { [K in `$${M}`]: infer Endpoint }
    ? Endpoint
    : never
  : never

/** The paths that the bank has for a method: '/goals/:id'. */
export type PathOf<M extends Method> = {
  [P in keyof Schema]: P extends `${typeof ROOT}${infer Rest}`
    ? `$${M}` extends keyof Schema[P]
      ? Rest
      : never
    : never
}[keyof Schema]

type Answer<Endpoint> = Endpoint extends { output: infer Output } ? Output : never
type Sent<Endpoint> = Endpoint extends { input: { json: infer Json } } ? Json : null

/** A request as a handler sees it. `query`: as in the address. */
export type Asked<Json = unknown> = {
  path: string
  params: Record<string, string>
  query: URLSearchParams
  key: string | null
  headers: Headers
  json: Json
}

type Handler = { method: string; pattern: RegExp; names: string[]; handle: (asked: Asked) => unknown }

/** What a handler gives in place of an answer. */
class Instead {
  readonly respond: () => Response | Promise<Response>
  /** Whether it is the bank that answers, as the contract says. */
  readonly isBanks: boolean
  constructor(respond: () => Response | Promise<Response>, isBanks = true) {
    this.respond = respond
    this.isBanks = isBanks
  }
}

/** The bank refuses with this code. */
export const refused = (code: ErrorCode, field?: string, headers: Record<string, string> = {}): never =>
  new Instead(() => {
    const { status, message } = ERRORS[code]
    return Response.json({ error: { code, message, ...(field && { field }) } }, { status, headers })
  }) as never

/** The bank wants to know once more who asks, for the step-up of this token. */
export const unproved = (token: string): never => refused('step_up_required', undefined, { [STEP_UP_HEADER]: token })

/** Something between the app and the bank answers in its place, with `{}`: a proxy whose bank is away, say. */
export const intercepted = (status: number): never => new Instead(() => Response.json({}, { status }), false) as never

/** No response comes: the line is down. */
export const unreachable = (): never => new Instead(() => Response.error()) as never

/** The bank answers once `until` resolves. */
export const later = <T>(until: Promise<unknown>, answer: T): T =>
  new Instead(async () => {
    await until
    const given: unknown = await answer
    return given instanceof Instead ? given.respond() : responseOf(given)
  }) as never

const handlers: Handler[] = []
const faults = new Set<string>()

/** All requests so far, the latest last. */
export const asked: (Asked & { method: string })[] = []

/** Those of them that were to change something. */
export const changes = () => asked.filter(({ method }) => method !== 'GET')

function handle<M extends Method>(method: M) {
  return <Path extends PathOf<M>>(
    path: Path,
    answer:
      | Answer<EndpointOf<M, Path>>
      | ((
          asked: Asked<Sent<EndpointOf<M, Path>>>,
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

/** Says how the bank answers from now on; what is said last counts. Without a body, a request is answered with `{}`. */
export const bank = {
  get: handle('get'),
  post: handle('post'),
  put: handle('put'),
  patch: handle('patch'),
  delete: handle('delete'),
  /** What the real bank answers its sample customer, to change a part of it. */
  recorded: async <Path extends PathOf<'get'>>(path: Path): Promise<Answer<EndpointOf<'get', Path>>> =>
    structuredClone((await commands.record(ROOT + path)).answer) as never,
}

function responseOf(answer: unknown): Response {
  if (answer instanceof Response) return answer
  return answer === undefined || isEmpty(answer) ? new Response(null, { status: 204 }) : Response.json(answer)
}

/** What `204` is typed as. */
const isEmpty = (answer: unknown) => answer !== null && typeof answer === 'object' && Object.keys(answer).length === 0

let isLineCut = false

/** From now on nothing reaches the bank, which the app notices. */
export function cutLine(): void {
  isLineCut = true
  // One lost response is bad luck.
  lineFailed()
  lineFailed()
}

/** The bank can be reached again, which the app notices. */
export function mendLine(): void {
  isLineCut = false
  checkLine()
}

async function answerTo(request: Request): Promise<Response> {
  if (isLineCut) return Response.error()
  const { pathname, search, searchParams } = new URL(request.url)
  const { method, headers } = request
  if (pathname === '/healthz') return Response.json({ status: 'alive' })
  const text = headers.get('content-type')?.startsWith('application/json') ? await request.clone().text() : ''
  const json: unknown = text === '' ? null : JSON.parse(text)
  const handler = handlers.find((one) => one.method === method && one.pattern.test(pathname))
  const values = handler?.pattern.exec(pathname)?.slice(1) ?? []
  const params = Object.fromEntries(handler?.names.map((name, at) => [name, values[at] ?? '']) ?? [])
  const one = {
    method,
    path: pathname.slice(ROOT.length),
    params,
    query: searchParams,
    json,
    headers,
    key: headers.get('idempotency-key'),
  }
  asked.push(one)
  if (!handler) return unasked(method, pathname + search)
  const answer = await handler.handle(one)
  const response = answer instanceof Instead ? await answer.respond() : responseOf(answer)
  if (response.type === 'error' || (answer instanceof Instead && !answer.isBanks)) return response
  await check({ method, path: pathname, key: one.key, body: json }, response)
  return response
}

async function unasked(method: string, path: string): Promise<Response> {
  if (method !== 'GET') {
    faults.add(`Nobody said how the bank answers ${method} ${path}`)
    return Response.json({ error: { code: 'unexpected', message: ERRORS.unexpected.message } }, { status: 500 })
  }
  const { status, answer } = await commands.record(path)
  return answer === null ? new Response(null, { status }) : Response.json(answer, { status })
}

async function check(request: Pick<Exchange, 'method' | 'path' | 'key' | 'body'>, response: Response): Promise<void> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer: unknown = isJson ? await response.clone().json() : null
  const fault = await commands.faultOf({ ...request, status: response.status, answer })
  if (fault) faults.add(fault)
}

/** The stream of live events, of which there is one. */
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

/** Tells the page that something has happened at the bank: the data of a live event. */
export function happens(data: unknown): void {
  const message = new MessageEvent('message', { data: typeof data === 'string' ? data : JSON.stringify(data) })
  for (const stream of streams) stream.dispatchEvent(message)
}

/** Takes the place of the network for what asks the bank. */
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

/** Forgets what a test said. Throws where the bank was not as the real one could be. */
export function resetBank(): void {
  isLineCut = false
  handlers.length = 0
  asked.length = 0
  streams.clear()
  const found = [...faults].join('\n')
  faults.clear()
  if (found !== '') throw new Error(found)
}
