import { decodeJwt } from 'jose';
import type { Caller } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Surroundings } from './implement.ts';
import type { Call } from './method.ts';

/** Node's timers cannot wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Aborts never; for servers that nobody closes. */
const NEVER = new AbortController().signal;

export type EndOfStream = {
  /** Aborts when the stream has to end, whoever wants it. */
  signal: AbortSignal;
  /** What to tell the caller when the stream had to end; undefined when it ended by itself or the caller went. */
  reason: () => CodedError | undefined;
  release: () => void;
};

/**
 * When a stream ends from outside: the caller hangs up, the server closes (SERVICE_UNAVAILABLE: come again), or a person's token
 * runs out or their session is revoked (UNAUTHORIZED). A service's token lives for minutes and only opens the stream; what it opened
 * it may read to its end.
 */
export const endOfStream = (
  { caller, signal, token }: Call<Caller | undefined>,
  { closing = NEVER, revoked: sessions }: Pick<Surroundings, 'closing' | 'revoked'>,
): EndOfStream => {
  const expired = new AbortController();
  const revoked = new AbortController();
  const expiresAt = caller?.kind === 'wallet' ? (decodeJwt(token).exp ?? 0) * 1000 : undefined;
  const lasts = expiresAt === undefined ? MAX_TIMER_MS : Math.max(0, Math.min(expiresAt - Date.now(), MAX_TIMER_MS));
  const timer = expiresAt === undefined ? undefined : setTimeout(() => expired.abort(), lasts);
  const forget = caller?.kind === 'wallet' ? sessions?.onRevoked(caller.sessionId, () => revoked.abort()) : undefined;
  return {
    signal: AbortSignal.any([signal, closing, expired.signal, revoked.signal]),
    reason: () => {
      if (signal.aborted) return undefined;
      if (revoked.signal.aborted) return new CodedError('UNAUTHORIZED', { message: 'the session was revoked' });
      if (expired.signal.aborted) return new CodedError('UNAUTHORIZED', { message: 'the token expired' });
      return closing.aborted ? new CodedError('SERVICE_UNAVAILABLE', { message: 'the server closes' }) : undefined;
    },
    release: () => {
      clearTimeout(timer);
      forget?.();
    },
  };
};

/** The items of `open()` until the signal aborts, even when the source waits for something that never comes. */
export async function* until<T>(signal: AbortSignal, open: () => AsyncIterable<T>): AsyncGenerator<T> {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<'aborted'>();
  const onAbort = () => abort('aborted');
  if (signal.aborted) return;
  signal.addEventListener('abort', onAbort, { once: true });
  const iterator = open()[Symbol.asyncIterator]();
  const ignore = () => undefined;
  try {
    for (;;) {
      const pending = iterator.next();
      const item = await Promise.race([pending, aborted]);
      if (item === 'aborted') {
        pending.catch(ignore);
        return;
      }
      if (item.done === true) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that waits would keep this one waiting. Its `finally` runs once it goes on.
    iterator.return?.().catch(ignore);
  }
}
