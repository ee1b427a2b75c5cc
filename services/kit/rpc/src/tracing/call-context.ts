import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** A request or an RPC while it is served. */
export type CallContext = {
  readonly requestId: string;
  /** Undefined when nothing is traced. */
  readonly span: Span | undefined;
  /**
   * Runs work that belongs to the call: its log lines carry the ids of the call, and its spans are children of the call's span. Work that outlives
   * the call, such as a loop that the call woke, no longer belongs to it.
   */
  run: <T>(work: () => T) => T;
  /** Ends the call. */
  end: () => void;
};

type Served = { context: CallContext; ended: boolean };

const storage = new AsyncLocalStorage<Served>();

/** Begins a call. */
export const beginCall = (requestId: string, span: Span | undefined): CallContext => {
  const context: CallContext = {
    requestId,
    span,
    run: (work) => storage.run(served, work),
    end: () => {
      served.ended = true;
    },
  };
  const served: Served = { context, ended: false };
  return context;
};

/** The call that the running code works for; undefined in the background, and once the call has ended. */
export const currentCall = (): CallContext | undefined => {
  const served = storage.getStore();
  return served === undefined || served.ended ? undefined : served.context;
};

/** The ids of a call, as log lines have them. */
export type CallIds = { requestId: string; traceId?: string };

export const idsOf = ({ requestId, span }: Pick<CallContext, 'requestId' | 'span'>): CallIds =>
  span === undefined ? { requestId } : { requestId, traceId: span.spanContext().traceId };

/** The id of the trace that a span belongs to, if the trace is recorded: an example for the value of a metric. */
export const recordedTraceId = (span: Span | undefined): string | undefined =>
  span?.isRecording() === true ? span.spanContext().traceId : undefined;
