import type { ErrorOf, OperationName } from './errors.ts';

export type CallOptions = {
  /** Cancels the call, which then rejects with the signal's reason, as `fetch` does. A mutation may still be performed. */
  signal?: AbortSignal | undefined;
  /** Key of a mutation; default: a new one per call, which all of its attempts share. Choose one to repeat the call after the program was started again. */
  idempotencyKey?: string | undefined;
  /** Longest time of one attempt. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated. */
  retries?: number | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** `open`: events are read. `waiting`: the connection was lost, for the reason beside it, and is tried again. */
export type StreamState = 'open' | 'waiting';

export type StreamOptions = {
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Id of the last event that was read earlier: the stream goes on after it. */
  lastEventId?: string | undefined;
  /** Is called when the connection is open, and when it is lost. */
  onState?: ((state: StreamState, error?: unknown) => void) | undefined;
};

/** One event of a stream. */
export type ServerEvent<Name extends string = string, Data = unknown> = {
  /** The `lastEventId` that resumes after this event. */
  id: string;
  event: Name;
  data: Data;
};

/** The outcome of a call without exceptions. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

/** The response to come. Rejects with a `FlorinError`. */
export type Call<T, O extends OperationName> = Promise<T> & {
  /** The outcome as a value, whose error has the codes that the operation declares. Rejects only when the call was aborted or its input is invalid. */
  result: () => Promise<Result<T, ErrorOf<O>>>;
};

type Rows = { data: readonly unknown[] };

/** The response to come, which is a page. Iterating reads the rows of this page and of all pages after it. */
export type PagedCall<P extends Rows, O extends OperationName> = Call<P, O> &
  AsyncIterable<P['data'][number]> & {
    /** This page and all pages after it. */
    pages: () => AsyncIterable<P>;
  };
