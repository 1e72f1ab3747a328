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
import type { Build } from '#server/bank/build.ts'
import { apartFromRequests } from '#server/platform/telemetry/trace.ts'
import type { Config } from '#server/bank/config.ts'

type Tracing = { log: Pick<Logger, 'warn'>; build: Build; mode: Config['mode'] }

/** Sends traces from now on, until the answered function is called. Loaded only where they are wanted. */
export function startTracing(
  { endpoint, headers, ratio }: NonNullable<Config['traces']>,
  tracing: Tracing,
): () => Promise<void> {
  const { log, build, mode } = tracing
  // The SDK says it while some request happens to end, with the address in its message.
  const err = new Error('The collector did not take them')
  const say = () => apartFromRequests(() => log.warn({ part: 'traces', err }, 'traces are not sent'))
  const nothing = () => undefined
  diag.setLogger(
    { error: say, warn: nothing, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'alder',
      'service.version': build.version,
      'deployment.environment.name': mode,
      'vcs.ref.head.revision': build.commit,
    }),
    sampler: sampleSome(ratio),
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
 * Whoever calls cannot have more of their requests traced than others: they choose the number of their trace, so chance decides
 * and not that number. What a request causes follows what was decided for it.
 */
export function sampleSome(ratio: number): Sampler {
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
