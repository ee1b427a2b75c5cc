import { FlorinError } from './errors.ts';
import { createEventParser } from './parse-events.ts';
import { backoffMs, pause } from './pause.ts';
import type { ServerEvent, StreamOptions } from './types.ts';

/** The platform sends something every 15 seconds. */
const SILENCE_MS = 45_000;

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** The longest `Retry-After` that is believed. */
const MAX_RETRY_AFTER_SECONDS = 300;

type Connection = {
  signal: AbortSignal;
  /** Begins to wait for the next sign of life. */
  heard: () => void;
  close: () => void;
};

/** A connection that is given up after a silence. */
const openConnection = (operation: string, signal: AbortSignal | undefined): Connection => {
  const controller = new AbortController();
  const { signal: own } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = () => controller.abort(new FlorinError('TIMEOUT', { status: 0, requestId: '', operation }));
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(silent, SILENCE_MS);
  };
  heard();
  return {
    signal: signal === undefined ? own : AbortSignal.any([own, signal]),
    heard,
    close: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
};

/** Errors that a new connection can cure. Everything else is for the caller: the session is over, or the request is wrong. */
const isPassing = ({ status }: FlorinError): boolean => status === 0 || status === 429 || status >= 500;

async function* readEvents(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<ServerEvent> {
  const parse = createEventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      for (const { id, event, data } of parse(decoder.decode(value, { stream: true })))
        yield { id, event, data: JSON.parse(data) as unknown };
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Opens a stream. @param lastEventId empty for one from the beginning */
export type Connect = (signal: AbortSignal, lastEventId: string) => Promise<ReadableStream<Uint8Array>>;

/**
 * Reads a stream of events, and connects again where it was lost: after the last event that was read. The event `end`, by which the platform announces the end of a
 * connection, is not passed on. Ends when the signal aborts or the reader stops.
 * @throws FlorinError for what a new connection cannot cure
 */
export async function* watch(
  operation: string,
  connect: Connect,
  { signal, lastEventId: first = '', onState }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  const isStopped = (): boolean => signal?.aborted === true;
  let lastEventId = first;
  for (let failures = 1; !isStopped(); failures += 1) {
    let reason: unknown;
    let leastMs = 0;
    const connection = openConnection(operation, signal);
    try {
      const body = await connect(connection.signal, lastEventId);
      onState?.('open');
      for await (const event of readEvents(body, connection.heard)) {
        failures = 0;
        if (event.event === 'end') break;
        lastEventId = event.id;
        yield event;
      }
    } catch (error) {
      if (isStopped()) return;
      if (error instanceof FlorinError) {
        if (!isPassing(error)) throw error;
        leastMs = Math.min(error.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS) * 1000;
      }
      reason = error;
    } finally {
      connection.close();
    }
    onState?.('waiting', reason);
    await pause(leastMs + backoffMs(Math.max(failures, 1), FIRST_PAUSE_MS, MAX_PAUSE_MS), signal).catch(() => undefined);
  }
}
