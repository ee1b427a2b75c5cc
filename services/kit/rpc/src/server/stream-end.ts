import { Code, ConnectError } from '@connectrpc/connect';
import { decodeJwt } from 'jose';
import { type Caller, type RevokedSessions, revocationNames } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';

/** Maximum delay of a timer in Node. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The open streams of a server. Closing the server ends them all: unlike unary calls, they would not end by themselves. */
export type OpenStreams = Set<(reason: CodedError) => void>;

/** Why a stream has to end: the caller disconnected, or the error that the caller receives. */
type EndReason = 'disconnected' | CodedError | ConnectError;

export type EndOfStream = {
  /** Aborts when the stream has to end. */
  signal: AbortSignal;
  /** Resolves when the stream has to end. */
  reached: Promise<void>;
  /** Undefined while the stream may continue. */
  reason: () => EndReason | undefined;
  /** Ends a user's stream with UNAUTHORIZED when the token expires or the session is revoked. A service's token only opens the stream. */
  endWithToken: (caller: Caller | undefined, token: string) => void;
  /** Ends the stream after the caller's deadline, if there is one. */
  endAfter: (timeoutMs: number | undefined) => void;
  /** Clears the timers and subscriptions. */
  release: () => void;
};

/**
 * Watches for the events that end a stream: the caller disconnects, the server shuts down (SERVICE_UNAVAILABLE: the caller may retry),
 * the deadline passes, the user's token expires or the session is revoked. All share one signal, because thousands of streams are
 * open at a time.
 * @param response emits `close` when the caller disconnects
 * @param revoked reports revoked sessions
 */
export const endOfStream = (
  response: { once: (event: 'close', listener: () => void) => unknown },
  { openStreams, revoked }: { openStreams: OpenStreams; revoked?: Pick<RevokedSessions, 'onRevoked'> },
): EndOfStream => {
  const controller = new AbortController();
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  let endReason: EndReason | undefined;
  let forgetSession: (() => void) | undefined;
  const end = (reason: EndReason): void => {
    if (endReason !== undefined) return;
    endReason = reason;
    resolve();
    controller.abort(reason);
  };
  const after = (ms: number, reason: () => EndReason): void => {
    timers.push(setTimeout(() => end(reason()), Math.max(0, Math.min(ms, MAX_TIMER_MS))));
  };
  response.once('close', () => end('disconnected'));
  openStreams.add(end);
  return {
    signal: controller.signal,
    reached,
    reason: () => endReason,
    endWithToken: (caller, token) => {
      if (caller?.kind !== 'wallet') return;
      after((decodeJwt(token).exp ?? 0) * 1000 - Date.now(), () => new CodedError('UNAUTHORIZED', { message: 'the token expired' }));
      forgetSession = revoked?.onRevoked(revocationNames(caller), () => {
        end(new CodedError('UNAUTHORIZED', { message: 'the session was revoked' }));
      });
    },
    endAfter: (timeoutMs) => {
      if (timeoutMs !== undefined) after(timeoutMs, () => new ConnectError('the operation timed out', Code.DeadlineExceeded));
    },
    release: () => {
      openStreams.delete(end);
      forgetSession?.();
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
