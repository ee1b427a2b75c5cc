import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, type Span, SpanKind, type TextMapGetter, type TextMapSetter, TraceFlags, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../observe/index.ts';
import { within } from '../time/index.ts';
import { currentCall } from './call-context.ts';
import { endSpan } from './end-span.ts';
import { reportOutages } from './report-outages.ts';
import { traceStore } from './trace-store.ts';
import type { ReadHeader, Tracing } from './tracing.ts';

/** Longest wait for the collector when the process stops, in milliseconds: less than supervisors and clients wait. */
const CLOSE_TIMEOUT_MS = 2000;

const EXPORT_TIMEOUT_MS = 5000;

const headers: TextMapGetter<ReadHeader> = { get: (header, name) => header(name) ?? undefined, keys: () => [] };
const inTurn: TextMapSetter<string[]> = { set: (carrier, name, value) => void carrier.push(name, value) };

/** Most traces are not recorded. A span of such a trace stands for those that would be its children, so that they cost nothing. */
const isUnrecorded = (span: Span | undefined): span is Span =>
  span !== undefined && (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0;

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
 * Exports spans to a collector by OTLP over HTTP, in batches and in the background. Whether a trace is recorded is decided where it begins; every
 * other process follows. Spans are dropped while the collector does not respond.
 */
export const openTracing = ({ service, endpoint, ratio, logger, ...options }: TracingOptions): Tracing => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'florin', 'service.name': service, 'service.instance.id': randomUUID() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(reportOutages(exporter, logger), { exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('florin');
  const propagator = new W3CTraceContextPropagator();
  return {
    startServed: (name, attributes, header) => {
      const context = propagator.extract(ROOT_CONTEXT, header, headers);
      const caller = trace.getSpan(context);
      if (isUnrecorded(caller)) return caller;
      return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: attributes() }, context);
    },
    startAtEdge: (name, attributes, header) => {
      const caller = trace.getSpanContext(propagator.extract(ROOT_CONTEXT, header, headers));
      const links = caller === undefined ? [] : [{ context: caller }];
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, links }, ROOT_CONTEXT);
      return span.isRecording() ? span.setAttributes(attributes()) : span;
    },
    startCall: (name, attributes) => {
      const parent = currentCall()?.span;
      if (isUnrecorded(parent)) return parent;
      return tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes },
        parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
      );
    },
    end: endSpan,
    headersOf: (span) => {
      const carrier: string[] = [];
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, inTurn);
      return carrier;
    },
    traceStore: (system, name, store) => traceStore(tracer, system, name, store),
    close: async () => {
      // A failed export has been reported.
      const flushed = provider.shutdown().catch(() => undefined);
      await within(CLOSE_TIMEOUT_MS, flushed).catch((err: unknown) => logger.warn({ err }, 'the last spans were not exported'));
    },
  };
};
