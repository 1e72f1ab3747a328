import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  context,
  defaultTextMapGetter,
  propagation,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Traces by OpenTelemetry's API, which does nothing until an SDK is registered (tracing-sdk.ts). Attributes say routes, kinds,
 * codes and numbers of things, and nothing about people.
 */

/** Undefined where nothing is traced: then nothing is done for it either. */
const tracer = () => (trace.getTracerProvider() as Partial<ProxyTracerProvider>).getDelegateTracer?.('alder')

/** Which request something is done for, that its log lines can say so. */
const current = new AsyncLocalStorage<{ requestId: string }>()
/** Made while nothing is done for anybody. */
const nowhere = AsyncLocalStorage.snapshot()

/** Does what is done for many at once, or later: it belongs to no request, not even to the one that set it off. */
export const apartFromRequests = <Result>(work: () => Result): Result => nowhere(work)

/** Answers what does something for whom this is done now, whoever calls it later. */
export const forWhomThisIs = (): (<Result>(work: () => Result) => Result) => AsyncLocalStorage.snapshot()

/** What log lines say of where they come from. */
export function origin(): { requestId?: string; traceId?: string } {
  const requestId = current.getStore()?.requestId
  const traceId = currentSpan()?.spanContext().traceId
  return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) }
}

/** The span in which this is done; undefined where nothing is traced. */
export const currentSpan = (): Span | undefined => trace.getActiveSpan()

/** The name and code of an error: its message may speak of somebody. */
function noteFailure(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

async function ending<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    noteFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

type Told = { attributes?: Attributes; kind?: SpanKind }

/** A part of what is traced already; otherwise nothing but `work`. */
export function inSpan<Result>(name: string, told: Told, work: () => Promise<Result>): Promise<Result> {
  const own = currentSpan() && tracer()
  return own ? own.startActiveSpan(name, told, (span) => ending(span, work)) : work()
}

/** Asks another server for something. */
export const inCall = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  inSpan(name, { kind: SpanKind.CLIENT }, work)

type Traceparent = { traceparent?: string }

/** The header by which another server goes on with this trace; none where nothing is traced. */
export function traceHeaders(): Traceparent {
  const headers: Traceparent = {}
  if (currentSpan() !== undefined) propagation.inject(context.active(), headers)
  return headers.traceparent === undefined ? {} : { traceparent: headers.traceparent }
}

const continuing = (carried: Traceparent) => propagation.extract(ROOT_CONTEXT, carried, defaultTextMapGetter)

type Requested = { requestId: string; method: string; traceparent: string | undefined }

/** Handles a request, as a part of the trace that it names. `describe` is asked once it is done. */
export function inRequest(
  { requestId, method, traceparent }: Requested,
  work: () => Promise<void>,
  describe: () => { route: string; status: number },
): Promise<void> {
  const own = tracer()
  if (!own) return current.run({ requestId }, work)
  const from = traceparent === undefined ? ROOT_CONTEXT : continuing({ traceparent })
  const handle = async (span: Span): Promise<void> => {
    await work()
    const { route, status } = describe()
    span.updateName(`${method} ${route}`)
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'alder.request_id': requestId,
    })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  return current.run({ requestId }, () =>
    own.startActiveSpan(method, { kind: SpanKind.SERVER }, from, (span) => ending(span, () => handle(span))),
  )
}

/** Does something for many spans at once, which its own links to, and they to it. */
export function inBatch<Result>(
  name: string,
  spans: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const own = tracer()
  const carried = spans.filter((span) => span !== undefined)
  if (!own || carried.length === 0) return work()
  const links = carried.map((span) => ({ context: span.spanContext() }))
  const attributes = { 'alder.batch.size': spans.length }
  return own.startActiveSpan(name, { root: true, links, attributes }, ROOT_CONTEXT, (span) => {
    for (const one of carried) one.addLink({ context: span.spanContext() })
    return ending(span, work)
  })
}

const [TRACE, REQUEST] = ['trace:', 'request:']

/** Flags of a job by which what it does can be followed from its cause. */
export function originFlags(): string[] {
  const requestId = current.getStore()?.requestId
  const { traceparent } = traceHeaders()
  return [
    ...(requestId === undefined ? [] : [`${REQUEST}${requestId}`]),
    ...(traceparent === undefined ? [] : [`${TRACE}${traceparent}`]),
  ]
}

/** Does a job as a part of what caused it, as its flags say. */
export function inJob<Result>(name: string, flags: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const after = (start: string) => flags.find((flag) => flag.startsWith(start))?.slice(start.length)
  const [requestId, traceparent] = [after(REQUEST), after(TRACE)]
  const own = tracer()
  const told = { kind: SpanKind.CONSUMER, attributes: { 'alder.job': name } }
  const from = traceparent === undefined ? ROOT_CONTEXT : continuing({ traceparent })
  const traced = own ? () => own.startActiveSpan(`job ${name}`, told, from, (span) => ending(span, work)) : work
  return requestId === undefined ? traced() : current.run({ requestId }, traced)
}
