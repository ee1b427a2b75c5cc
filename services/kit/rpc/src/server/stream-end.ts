import { Code, ConnectError } from '@connectrpc/connect';
import { decodeJwt } from 'jose';
import type { Caller, RevokedSessions } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';

/** Node's timers cannot wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Streams that are open; ended all together when the server closes: unary calls run to their end, streams would never. */
export type OpenStreams = Set<(why: CodedError) => void>;

/** Why a stream ends from outside: nobody reads any more, or what the caller is told. */
type Why = 'gone' | CodedError | ConnectError;

export type EndOfStream = {
  /** Aborts when the stream has to end, whoever wants it. */
  signal: AbortSignal;
  /** Resolves at that moment. */
  reached: Promise<void>;
  why: () => Why | undefined;
  /** A person's token and session end what they opened (UNAUTHORIZED). A service's token lives for minutes and only opens the stream. */
  endWithToken: (caller: Caller | undefined, token: string) => void;
  endAfter: (timeoutMs: number | undefined) => void;
  release: () => void;
};

/**
 * When a stream ends from outside: the caller hangs up, the server closes (SERVICE_UNAVAILABLE: come again), the caller's deadline
 * passes, a person's token runs out or their session is revoked. One signal for all of them, because thousands of streams are open at
 * a time.
 * @param response emits `close` when the caller went
 * @param revoked says when a session is revoked
 */
export const endOfStream = (
  response: { once: (event: 'close', listener: () => void) => unknown },
  { openStreams, revoked }: { openStreams: OpenStreams; revoked?: Pick<RevokedSessions, 'onRevoked'> },
): EndOfStream => {
  const controller = new AbortController();
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  let why: Why | undefined;
  let forgetSession: (() => void) | undefined;
  const end = (reason: Why): void => {
    if (why !== undefined) return;
    why = reason;
    resolve();
    controller.abort(reason);
  };
  const after = (ms: number, reason: () => Why): void => {
    timers.push(setTimeout(() => end(reason()), Math.max(0, Math.min(ms, MAX_TIMER_MS))));
  };
  response.once('close', () => end('gone'));
  openStreams.add(end);
  return {
    signal: controller.signal,
    reached,
    why: () => why,
    endWithToken: (caller, token) => {
      if (caller?.kind !== 'wallet') return;
      after((decodeJwt(token).exp ?? 0) * 1000 - Date.now(), () => new CodedError('UNAUTHORIZED', { message: 'the token expired' }));
      forgetSession = revoked?.onRevoked(caller.sessionId, () => {
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
