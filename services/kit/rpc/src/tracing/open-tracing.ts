import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, type Span, type SpanContext, SpanKind, type SpanOptions, TraceFlags, trace } from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../observe/index.ts';
import { within } from '../time.ts';
import { currentCall } from './call-context.ts';
import { endSpan } from './end-span.ts';
import { reportOutages } from './report-outages.ts';
import { traceStore } from './trace-store.ts';
import type { ReadHeader, Tracing } from './tracing.ts';

/** Longest wait for the collector when the process stops, in milliseconds: less than supervisors and clients wait. */
const CLOSE_TIMEOUT_MS = 2000;

const EXPORT_TIMEOUT_MS = 5000;

/** The span that the headers of a request name (W3C Trace Context). */
const callerOf = (header: ReadHeader): SpanContext | undefined => {
  const parsed = parseTraceParent(header('traceparent') ?? '');
  if (parsed === null) return undefined;
  const state = header('tracestate') ?? '';
  return { ...parsed, isRemote: true, ...(state === '' ? {} : { traceState: new TraceState(state) }) };
};

const isRecorded = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Most traces are not recorded. A span of such a trace stands for those that would be its children, so that they cost nothing. */
const isUnrecorded = (span: Span | undefined): span is Span => span !== undefined && !isRecorded(span.spanContext());

export type TracingOptions = {
  /** Name of the process: the `service.name` of its spans. */
  service: string;
  /** Base URL of the collector. */
  endpoint: string;
  /** Headers of every export. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Share of the traces that begin here and are recorded, from 0 to 1. */
  ratio: number;
  logger: Logger;
};

/**
 * Exports spans to a collector by OTLP over HTTP, in batches and in the background. The process where a trace begins decides whether it is recorded; all others
 * follow. Spans are dropped while the collector does not respond.
 */
export const openTracing = ({ service, endpoint, ratio, logger, ...options }: TracingOptions): Tracing => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'florin', 'service.name': service, 'service.instance.id': randomUUID() }),
    // Only traces that are recorded reach the tracer.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(reportOutages(exporter, logger), { exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('florin');
  const ids = new RandomIdGenerator();

  /** Begins a trace. One that is not recorded has nothing but ids, for log lines and for the processes that are called. */
  const begin = (name: string, options: () => SpanOptions): Span =>
    Math.random() < ratio
      ? tracer.startSpan(name, options(), ROOT_CONTEXT)
      : trace.wrapSpanContext({ traceId: ids.generateTraceId(), spanId: ids.generateSpanId(), traceFlags: TraceFlags.NONE });

  return {
    startServed: (name, attributes, header) => {
      const caller = callerOf(header);
      const options = () => ({ kind: SpanKind.SERVER, attributes: attributes() });
      if (caller === undefined) return begin(name, options);
      if (!isRecorded(caller)) return trace.wrapSpanContext(caller);
      return tracer.startSpan(name, options(), trace.setSpanContext(ROOT_CONTEXT, caller));
    },
    startAtEdge: (name, attributes, header) =>
      begin(name, () => {
        const caller = callerOf(header);
        return { kind: SpanKind.SERVER, attributes: attributes(), links: caller === undefined ? [] : [{ context: caller }] };
      }),
    startCall: (name, attributes) => {
      const parent = currentCall()?.span;
      const options = { kind: SpanKind.CLIENT, attributes };
      if (parent === undefined) return begin(name, () => options);
      return isUnrecorded(parent) ? parent : tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    },
    end: endSpan,
    headersOf: (span) => {
      const { traceId, spanId, traceFlags, traceState } = span.spanContext();
      const parent = ['traceparent', `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`];
      return traceState === undefined ? parent : [...parent, 'tracestate', traceState.serialize()];
    },
    traceStore: (system, name, store) => traceStore(tracer, system, name, store),
    close: async () => {
      // A failed export has been reported.
      const flushed = provider.shutdown().catch(() => undefined);
      await within(CLOSE_TIMEOUT_MS, flushed).catch((err: unknown) => logger.warn({ err }, 'the last spans were not exported'));
    },
  };
};
