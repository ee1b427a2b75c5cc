import { Code, ConnectError } from '@connectrpc/connect';
import { decodeJwt } from 'jose';
import type { Caller } from '../auth/index.ts';
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
  /** A person's token ends what it opened (UNAUTHORIZED). A service's lives for minutes and only opens the stream. */
  endWithToken: (caller: Caller | undefined, token: string) => void;
  endAfter: (timeoutMs: number | undefined) => void;
  release: () => void;
};

/**
 * When a stream ends from outside: the caller hangs up, the server closes (SERVICE_UNAVAILABLE: come again), the caller's deadline
 * passes, a person's token runs out. One signal for all of them, because thousands of streams are open at a time.
 * @param response emits `close` when the caller went
 */
export const endOfStream = (response: { once: (event: 'close', listener: () => void) => unknown }, open: OpenStreams): EndOfStream => {
  const controller = new AbortController();
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  let why: Why | undefined;
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
  open.add(end);
  return {
    signal: controller.signal,
    reached,
    why: () => why,
    endWithToken: (caller, token) => {
      if (caller?.kind !== 'wallet') return;
      after((decodeJwt(token).exp ?? 0) * 1000 - Date.now(), () => new CodedError('UNAUTHORIZED', { message: 'the token expired' }));
    },
    endAfter: (timeoutMs) => {
      if (timeoutMs !== undefined) after(timeoutMs, () => new ConnectError('the operation timed out', Code.DeadlineExceeded));
    },
    release: () => {
      open.delete(end);
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
