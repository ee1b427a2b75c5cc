export type { Span } from '@opentelemetry/api';
export { beginCall, type CallContext, type CallIds, currentCall, idsOf, recordedTraceId } from './call-context.ts';
export { DEFAULT_SAMPLING_RATIO, exporterHeaders, openConfiguredTracing, type TracingConfig } from './config.ts';
export { rpcAttributes } from './rpc-attributes.ts';
export type { SpanEnd, StoreSystem, Tracing } from './tracing.ts';
