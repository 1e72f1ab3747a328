import { context, diag, DiagLogLevel, propagation, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Build } from '#server/bank/build-version.ts'
import { outsideRequest } from '#server/platform/telemetry/trace.ts'
import type { Config } from '#server/bank/config.ts'

type Tracing = { log: Pick<Logger, 'warn'>; build: Build; mode: Config['mode'] }

/** Sends traces until the returned function is called. The bank loads this file only if traces are on. */
export function startTracing(
  { endpoint, headers, ratio }: NonNullable<Config['traces']>,
  tracing: Tracing,
): () => Promise<void> {
  const { log, build, mode } = tracing
  // The SDK's own error is not logged: it is reported when an unrelated request ends, and its message contains the address of
  // the collector.
  const err = new Error('The collector did not accept the traces')
  const logFailure = () => outsideRequest(() => log.warn({ part: 'traces', err }, 'traces are not sent'))
  const nothing = () => undefined
  diag.setLogger(
    { error: logFailure, warn: nothing, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'alder',
      'service.version': build.version,
      'deployment.environment.name': mode,
      'vcs.ref.head.revision': build.commit,
    }),
    sampler: sampleTraces(ratio),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }) }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    await provider.shutdown()
    for (const api of [trace, propagation, context, diag]) api.disable()
  }
}

/**
 * Samples traces at random and not by their id. Callers choose the id, and could otherwise make the bank trace more of their
 * requests. Work that a request causes is traced if the request is traced.
 */
export function sampleTraces(ratio: number): Sampler {
  const decide = (isWanted: boolean) => ({
    decision: isWanted ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  })
  const isLucky = () => Math.random() < ratio
  return new ParentBasedSampler({
    root: { shouldSample: () => decide(isLucky()) },
    remoteParentSampled: {
      shouldSample: (_context, _traceId, _name, kind) => decide(kind !== SpanKind.SERVER || isLucky()),
    },
  })
}
