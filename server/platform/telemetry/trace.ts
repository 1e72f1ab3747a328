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
 * Traces through OpenTelemetry's API, which does nothing until an SDK is registered (tracing-sdk.ts). Attributes contain
 * routes, kinds, codes and counts, and nothing about people.
 */

/** Returns the tracer; undefined if tracing is off, so that it then costs nothing. */
const tracer = () => (trace.getTracerProvider() as Partial<ProxyTracerProvider>).getDelegateTracer?.('alder')

/** The request that the current work belongs to, for its log lines. */
const current = new AsyncLocalStorage<{ requestId: string }>()
/** The context of no request, captured at the start. */
const runOutside = AsyncLocalStorage.snapshot()

/** Runs work outside of any request, even of the request that started it: work for many requests at once, or later work. */
export const outsideRequest = <Result>(work: () => Result): Result => runOutside(work)

/** Returns a function that runs work in the present context, from any later caller. */
export const captureContext = (): (<Result>(work: () => Result) => Result) => AsyncLocalStorage.snapshot()

/** Returns the ids of the current request and trace, for log lines. */
export function currentIds(): { requestId?: string; traceId?: string } {
  const requestId = current.getStore()?.requestId
  const traceId = currentSpan()?.spanContext().traceId
  return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) }
}

/** Returns the current span; undefined if tracing is off. */
export const currentSpan = (): Span | undefined => trace.getActiveSpan()

/** Records the name and code of an error. Its message is left out because it may contain personal data. */
function noteFailure(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

async function endAfter<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    noteFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

type SpanOptions = { attributes?: Attributes; kind?: SpanKind }

/** Runs work in a new span if the present work is traced. Otherwise runs the work without a span. */
export function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const ownTracer = currentSpan() && tracer()
  return ownTracer ? ownTracer.startActiveSpan(name, options, (span) => endAfter(span, work)) : work()
}

/** Runs a request to another server in a span. */
export const inCall = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  inSpan(name, { kind: SpanKind.CLIENT }, work)

type Traceparent = { traceparent?: string }

/** Returns the header with which another server continues this trace; none if tracing is off. */
export function traceHeaders(): Traceparent {
  const headers: Traceparent = {}
  if (currentSpan() !== undefined) propagation.inject(context.active(), headers)
  return headers.traceparent === undefined ? {} : { traceparent: headers.traceparent }
}

const continuing = (carriedSpans: Traceparent) => propagation.extract(ROOT_CONTEXT, carriedSpans, defaultTextMapGetter)

type Requested = { requestId: string; method: string; traceparent: string | undefined }

/**
 * Handles a request as a part of the trace in its `traceparent` header. `describe` is called after the request and returns its
 * route and status.
 */
export function inRequest(
  { requestId, method, traceparent }: Requested,
  work: () => Promise<void>,
  describe: () => { route: string; status: number },
): Promise<void> {
  const ownTracer = tracer()
  if (!ownTracer) return current.run({ requestId }, work)
  const parentContext = traceparent === undefined ? ROOT_CONTEXT : continuing({ traceparent })
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
    ownTracer.startActiveSpan(method, { kind: SpanKind.SERVER }, parentContext, (span) =>
      endAfter(span, () => handle(span)),
    ),
  )
}

/**
 * Runs work that serves several traced pieces of work at once, given by their spans. The work gets a span of its own, with
 * links to those spans and back.
 */
export function inBatch<Result>(
  name: string,
  spans: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const ownTracer = tracer()
  const carriedSpans = spans.filter((span) => span !== undefined)
  if (!ownTracer || carriedSpans.length === 0) return work()
  const links = carriedSpans.map((span) => ({ context: span.spanContext() }))
  const attributes = { 'alder.batch.size': spans.length }
  return ownTracer.startActiveSpan(name, { root: true, links, attributes }, ROOT_CONTEXT, (span) => {
    for (const link of carriedSpans) link.addLink({ context: span.spanContext() })
    return endAfter(span, work)
  })
}

const [TRACE, REQUEST] = ['trace:', 'request:']

/** Returns flags for a job that link its work to its cause. */
export function originFlags(): string[] {
  const requestId = current.getStore()?.requestId
  const { traceparent } = traceHeaders()
  return [
    ...(requestId === undefined ? [] : [`${REQUEST}${requestId}`]),
    ...(traceparent === undefined ? [] : [`${TRACE}${traceparent}`]),
  ]
}

/** Runs a job as a part of the trace that caused the job. The job's flags identify the trace and the request. */
export function inJob<Result>(name: string, flags: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const valueAfter = (start: string) => flags.find((flag) => flag.startsWith(start))?.slice(start.length)
  const [requestId, traceparent] = [valueAfter(REQUEST), valueAfter(TRACE)]
  const ownTracer = tracer()
  const options = { kind: SpanKind.CONSUMER, attributes: { 'alder.job': name } }
  const parentContext = traceparent === undefined ? ROOT_CONTEXT : continuing({ traceparent })
  const runTraced = ownTracer
    ? () => ownTracer.startActiveSpan(`job ${name}`, options, parentContext, (span) => endAfter(span, work))
    : work
  return requestId === undefined ? runTraced() : current.run({ requestId }, runTraced)
}
