/**
 * Tracing with the SDK of OpenTelemetry. Only tracing.ts imports this file, and only with settings, so that a service
 * without tracing does not load the SDK.
 *
 * Spans that ended wait in a bounded queue and are sent in batches as OTLP in JSON over HTTP. A slow or missing
 * collector costs spans and nothing else: those beyond the queue are dropped and counted. The collector is the
 * operator's, so the egress guard of accounts does not apply to it.
 */
import {
  ROOT_CONTEXT,
  SpanKind as SdkKind,
  type Span,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { isDoneWithin } from '../../lib/time-limit.ts';
import type { Sampler, TracingSettings } from './settings.ts';
import type { Trace } from './trace.ts';
import type { Facts, OpenSpan, SpanKind, Tracing, TracingParts } from './tracing.ts';

/** Spans that ended and were not sent yet. */
const WAITING_MAX = 4096;
const BATCH = 512;
const SEND_EVERY_MS = 1000;
/** Time limit of sending a batch, with repetitions. */
const SEND_MS = 10_000;
/** Time limit of the last spans when the service stops. */
const LAST_MS = 2000;
const WARN_EVERY_MS = 60_000;
/** Ids and labels are shorter. */
const VALUE_MAX_CHARS = 200;

const KINDS: Record<SpanKind, SdkKind> = {
  SERVER: SdkKind.SERVER,
  CLIENT: SdkKind.CLIENT,
  INTERNAL: SdkKind.INTERNAL,
};

export function createTracing(settings: TracingSettings, parts: TracingParts): Tracing {
  const { url, headers, serviceName, sampler } = settings;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_MS, concurrencyLimit: 2 });
  const provider = new TracerProvider({
    sampler: samplerOf(sampler),
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': parts.version,
      'service.instance.id': parts.nodeId,
    }),
    spanLimits: { attributeValueLengthLimit: VALUE_MAX_CHARS },
    spanProcessors: [countedProcessor(exporter, parts)],
  });
  const tracer = provider.getTracer('sluice', parts.version);
  return {
    start: (name, kind, parent, facts) => startSpan(tracer, name, kind, parent, facts),
    async close() {
      await isDoneWithin(
        provider.shutdown().catch(() => undefined),
        LAST_MS,
      );
    },
  };
}

function samplerOf({ isParentBased, ratio }: Sampler) {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function startSpan(tracer: Tracer, name: string, kind: SpanKind, parent: Trace | undefined, facts: Facts): OpenSpan {
  const context = parent ? traceApi.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT;
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: attributesOf(facts) }, context);
  return {
    trace: { traceparent: traceparentOf(span), tracestate: parent?.tracestate ?? null },
    end(more, isError) {
      span.setAttributes(attributesOf(more));
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const spanContextOf = ({ traceparent }: Trace) => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53), 16) & TraceFlags.SAMPLED,
  isRemote: true,
});

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function attributesOf({ status, ...facts }: Facts): Record<string, string | number> {
  const attributes: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(facts)) if (value != null) attributes[`sluice.${name}`] = value;
  if (status != null) attributes['http.response.status_code'] = status;
  return attributes;
}

/** Counts the spans that are sent, that fail and that are dropped, and drops those beyond the queue. */
function countedProcessor(exporter: SpanExporter, { log, measures }: TracingParts): SpanProcessor {
  let waiting = 0;
  let lost = 0;
  let warnedMs = Number.NEGATIVE_INFINITY;
  const count = (outcome: 'SENT' | 'FAILED' | 'DROPPED', spans: number, why?: string) => {
    measures.count('trace_spans', { outcome }, spans);
    if (outcome === 'SENT') return;
    lost += spans;
    const nowMs = performance.now();
    if (nowMs - warnedMs < WARN_EVERY_MS) return;
    warnedMs = nowMs;
    log.warn({ spans: lost, cause: why }, 'spans could not be sent to the collector');
    lost = 0;
  };
  const counted: SpanExporter = {
    export(spans: ReadableSpan[], done) {
      let isOver = false;
      const finish = (result: Parameters<typeof done>[0]) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        waiting -= spans.length;
        if (result.code === 0) count('SENT', spans.length);
        else count('FAILED', spans.length, result.error?.message.slice(0, VALUE_MAX_CHARS));
        // The processor would report a failure once more, to a global handler.
        done({ code: 0 });
      };
      // A collector that sends its response byte by byte keeps the exporter waiting.
      const timer = setTimeout(finish, SEND_MS + 1000, { code: 1, error: new Error('no response in time') }).unref();
      exporter.export(spans, finish);
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize: WAITING_MAX + BATCH,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: 2 * SEND_MS,
  });
  return {
    onStart() {},
    onEnd(span) {
      if (waiting >= WAITING_MAX) return count('DROPPED', 1, 'the queue is full');
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
