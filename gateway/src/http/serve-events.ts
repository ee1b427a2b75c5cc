import { revocationNames } from '@florin/rpc/auth';
import { CodedError, ERRORS } from '@florin/rpc/errors';
import type { Request, Response } from 'express';
import { subjectOf } from './admit.ts';
import { checkAnswer } from './check-answer.ts';
import type { Route, ServerSentEvent, StreamEnd } from './define-route.ts';
import { drained } from './drained.ts';
import { toRequestError } from './error-answer.ts';
import type { TokenCaller } from './policy.ts';
import { contextOf } from './request-context.ts';
import { callOf, type Prepared } from './run-handler.ts';
import type { Serving } from './serving.ts';

/** How long browsers wait before they reconnect. */
const RETRY_MS = 1000;

/** How often the token of a partner's server is verified again while it reads: the end of a key is announced to nobody. */
const VERIFY_AGAIN_MS = 1000;

/** The longest delay that Node's timers support. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const format = ({ id, event, data }: ServerSentEvent): string => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Ends the stream when the client disconnects, the caller's token expires, the session or key is revoked or the gateway stops. */
const endOf = (request: Request, response: Response, serving: Serving, caller: TokenCaller): AbortController => {
  const { runtime, stopping, revoked } = serving;
  const end = new AbortController();
  const endWith = (reason: StreamEnd) => () => end.abort(reason);
  const timer = setTimeout(
    endWith('TOKEN_ENDED'),
    Math.max(0, Math.min(caller.expiresAt.getTime() - runtime.now().getTime(), MAX_TIMER_MS)),
  );
  const forget = caller.kind === 'wallet' ? revoked.onRevoked(revocationNames(caller), endWith('TOKEN_ENDED')) : undefined;
  const verifyAgain = async (): Promise<void> => {
    try {
      await serving.authenticatePartner(request.get('authorization'));
    } catch (error) {
      // While identity is away, the key is as it was.
      if (error instanceof CodedError && error.code === 'UNAUTHORIZED') end.abort('TOKEN_ENDED' satisfies StreamEnd);
    }
  };
  const verifying = caller.kind === 'service' ? setInterval(() => void verifyAgain(), VERIFY_AGAIN_MS) : undefined;
  const onStopping = endWith('STOPPING');
  stopping.addEventListener('abort', onStopping);
  if (stopping.aborted) onStopping();
  response.once('close', () => {
    clearTimeout(timer);
    clearInterval(verifying);
    forget?.();
    stopping.removeEventListener('abort', onStopping);
    end.abort();
  });
  return end;
};

/** A client that has not read for this many heartbeats is treated as disconnected. */
const PATIENCE_HEARTBEATS = 2;

const writeHead = (response: Response): void => {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  // nginx would otherwise hold events back until its buffer is full.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  response.write(`retry: ${RETRY_MS}\n\n`);
};

/**
 * Writes events at the reader's pace: a slow reader slows down its source, which buffers a limited number of events. A reader that
 * stops reading is told so and disconnected, and resumes with the id of the last event that it read.
 */
const writeEvents = async (
  route: Route,
  response: Response,
  events: { first: IteratorResult<unknown>; next: () => Promise<IteratorResult<unknown>> },
  { validateAnswers, heartbeatMs }: Serving,
  end: AbortController,
): Promise<void> => {
  const patienceMs = PATIENCE_HEARTBEATS * heartbeatMs;
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  try {
    for (let item = events.first; item.done !== true && !response.closed; item = await events.next()) {
      const event = item.value as ServerSentEvent;
      if (validateAnswers) checkAnswer(route, 200, event.data);
      if (response.write(format(event)) || (await drained(response, end.signal, patienceMs))) continue;
      end.abort('TOO_SLOW' satisfies StreamEnd);
    }
  } finally {
    clearInterval(heartbeat);
  }
};

/** Ends the response. Otherwise bytes that a client does not read would stay in memory as long as its connection lasts. */
const endResponse = (response: Response, patienceMs: number): void => {
  response.end();
  if (response.closed) return;
  const cut = setTimeout(() => response.destroy(), patienceMs);
  response.once('finish', () => clearTimeout(cut)).once('close', () => clearTimeout(cut));
};

/**
 * Serves a stream of events. An error before the first event is an ordinary error response; after it the stream ends, and the client
 * resumes with the id of the last event that it read.
 * @throws CodedError STREAM_LIMIT_REACHED, SERVICE_UNAVAILABLE and the codes that the handler raises before its first event
 */
export const serveEvents = async (route: Route, request: Request, response: Response, serving: Serving, prepared: Prepared) => {
  if (prepared.caller === undefined) throw new CodedError('UNAUTHORIZED');
  // A client that is gone by now has had its 'close' event: a slot taken for it would never be released.
  if (response.closed) return;
  response.once('close', serving.streams.take(subjectOf(prepared.caller)));
  const end = endOf(request, response, serving, prepared.caller);
  const answer = await route.handler(prepared.input, callOf(request, response, serving, prepared, end.signal));
  const iterator = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const first = await iterator.next();
  writeHead(response);
  try {
    if (request.method !== 'HEAD') await writeEvents(route, response, { first, next: () => iterator.next() }, serving, end);
  } catch (thrown) {
    const error = toRequestError(thrown);
    const { logger } = contextOf(response);
    // Ending the stream from this side surfaces as the failure of an aborted call.
    if (!end.signal.aborted && ERRORS[error.code].http >= 500) logger.warn({ error: error.code, err: error }, 'event stream failed');
  } finally {
    endResponse(response, PATIENCE_HEARTBEATS * serving.heartbeatMs);
    iterator.return?.().catch(() => undefined);
  }
};
