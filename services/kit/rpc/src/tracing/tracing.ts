import type { Attributes, Span } from '@opentelemetry/api';

/** Reads a header of a request by its lower-case name. */
export type ReadHeader = (name: string) => string | null | undefined;

/** The engines that hold what a store stores (OpenTelemetry, `db.system.name`). */
export type StoreSystem = 'mongodb' | 'redis';

/** The attributes of a span when it starts. They are computed only if the span is recorded. */
export type StartAttributes = () => Attributes;

/** How a span ended. `code` is an error code of the platform; a `fault` is an error of the process that serves, not of its caller. */
export type SpanEnd = { code?: string | undefined; fault?: boolean };

/**
 * Records spans of sampled traces. Names and attributes never contain ids of people, or anything that a caller sent.
 */
export type Tracing = {
  /**
   * Starts the span of an RPC that is served, as a child of the caller's span (W3C Trace Context). If the caller's trace is not recorded, it is
   * the caller's span: nothing is told of it but its ids.
   */
  startServed: (name: string, attributes: StartAttributes, header: ReadHeader) => Span;
  /**
   * Starts the span of a request from outside the platform. Outsiders do not decide what is sampled: the span begins a trace of its own, with a link
   * to the caller's.
   */
  startAtEdge: (name: string, attributes: StartAttributes, header: ReadHeader) => Span;
  /**
   * Starts the span of a call to another process, as a child of the call that is being served; in the background it begins a trace. If the trace
   * of the call that is being served is not recorded, it is the span of that call.
   */
  startCall: (name: string, attributes: Attributes) => Span;
  /** Ends a span. */
  end: (span: Span, how?: SpanEnd) => void;
  /** The headers that make a called process continue the trace, names and values in turn. */
  headersOf: (span: Span) => readonly string[];
  /** Puts a span around each call of a store's functions, as a child of the call that is being served. */
  traceStore: <S extends object>(system: StoreSystem, name: string, store: S) => S;
  /** Exports the spans that have ended, for a bounded time. */
  close: () => Promise<void>;
};
