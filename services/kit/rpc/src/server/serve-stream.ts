import type { DescMethodServerStreaming } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { type Caller, tokenRejected } from '../auth/index.ts';
import { CodedError, toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id.ts';
import type { Slots } from '../slots.ts';
import { beginAudit, rpcOf } from './audit.ts';
import type { Bound } from './bind.ts';
import { type Admitted, recordCall, type Surroundings, startCall } from './call-frame.ts';
import { createStreamSlots } from './call-slots.ts';
import type { BeginStream } from './exchange.ts';
import type { StreamMethod } from './method.ts';

/** Returns the next item, or undefined once the signal is aborted, even if the source never settles. */
const nextItem = <T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T> | undefined> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });

/** The error that the reader of an aborted stream receives; undefined if the reader has disconnected. */
const endOf = ({ reason }: { reason: unknown }): CodedError | ConnectError | undefined => {
  if (reason instanceof CodedError) return reason;
  return reason instanceof ConnectError && reason.code === Code.DeadlineExceeded ? reason : undefined;
};

const subjectOf = (caller: Caller): string => (caller.kind === 'service' ? `service:${caller.name}` : `wallet:${caller.wallet}`);

/**
 * Ends a stream with UNAUTHORIZED when the token that opened it expires, and cuts the response of a reader that does not read the end of its
 * stream, which would otherwise hold the stream open.
 */
const watchEnd = (
  caller: Caller | undefined,
  others: readonly AbortSignal[],
  { cut, cutAfterMs }: { cut: () => void; cutAfterMs: number },
) => {
  const expired = new AbortController();
  const signal = AbortSignal.any([...others, expired.signal]);
  const expire = (): void => expired.abort(tokenRejected('expired'));
  const timers = caller === undefined ? [] : [setTimeout(expire, Math.max(0, caller.expiresAt.getTime() - Date.now()))];
  const onEnd = () => void timers.push(setTimeout(cut, cutAfterMs).unref());
  signal.addEventListener('abort', onEnd, { once: true });
  return {
    signal,
    close: () => {
      signal.removeEventListener('abort', onEnd);
      for (const timer of timers) clearTimeout(timer);
    },
  };
};

/** Takes a slot of the process, and one of the method if it has limits of its own. @throws CodedError STREAM_LIMIT_REACHED */
const takeSlots = (caller: Caller | undefined, slots: readonly (Slots<string> | undefined)[]): (() => void) => {
  const taken: (() => void)[] = [];
  const release = (): void => {
    for (const one of taken) one();
  };
  try {
    if (caller !== undefined) for (const slot of slots) if (slot !== undefined) taken.push(slot.take(subjectOf(caller)));
  } catch (error) {
    release();
    throw error;
  }
  return release;
};

/**
 * Prepares a server-streaming method for Connect's router. The stream ends when the caller disconnects, its deadline passes, its token expires
 * (UNAUTHORIZED), or the server closes (SERVICE_UNAVAILABLE: unlike unary calls, streams would not end by themselves).
 */
export const beginStream = (
  desc: DescMethodServerStreaming,
  { method, policy, judge, answerOf }: Bound<StreamMethod<unknown, unknown>>,
  surroundings: Surroundings,
): BeginStream => {
  const reporting = { logger: surroundings.logger, strict: surroundings.strictErrors === true };
  const ownSlots = method.limits === undefined ? undefined : createStreamSlots(method.limits);
  return ({ headers, peer }) => {
    const rpc = rpcOf(desc);
    const { requestId, served, recorded, ...frame } = startCall(policy, rpc, surroundings, (name) => headers[name]?.toString(), peer);
    let admission: Promise<Admitted> | undefined;
    const admit = (): Promise<Admitted> => {
      admission ??= served.run(frame.admit).catch((thrown: unknown) => {
        const error = answerOf(toCodedError(thrown), reporting);
        recordCall(surroundings, recorded({ messages: 0 }), error);
        throw toWire(error);
      });
      return admission;
    };
    return {
      headers: { [REQUEST_ID_HEADER]: requestId },
      anonymous: policy.access === 'public',
      admit,
      run: async function* (message, reader, cut) {
        const admitted = await admit();
        const { caller } = admitted;
        const { signal, close } = watchEnd(caller, [reader, surroundings.closing], { cut, cutAfterMs: surroundings.cutAfterMs });
        const call = frame.callOf(admitted, { signal });
        let release = (): void => undefined;
        let iterator: AsyncIterator<unknown> | undefined;
        let messages = 0;
        let end: unknown;
        try {
          release = takeSlots(caller, [surroundings.streams, ownSlots]);
          // The outcome of a stream is recorded when it opens, because from then on the caller may have seen messages, however it ends.
          const recordOutcome = await served.run(() => beginAudit(surroundings, desc, message, call));
          try {
            judge(message);
          } catch (thrown) {
            await recordOutcome(toCodedError(thrown).code);
            throw thrown;
          }
          await recordOutcome('OK');
          const source = served.run(() => method.open(message, call)[Symbol.asyncIterator]());
          iterator = source;
          const next = () => served.run(() => nextItem(source, signal));
          for (let item = await next(); item !== undefined && item.done !== true; item = await next()) {
            messages += 1;
            yield item.value as Record<string, unknown>;
          }
        } catch (thrown) {
          end = thrown;
        } finally {
          close();
          release();
          // Not awaited: a source may still be waiting. Its `finally` runs once that wait settles.
          iterator?.return?.().catch(() => undefined);
          if (signal.aborted) end = endOf(signal);
          const error = end === undefined || end instanceof ConnectError ? undefined : answerOf(toCodedError(end), reporting);
          const aborted = reader.aborted && end === undefined;
          recordCall(surroundings, recorded({ messages, ...(aborted ? { aborted } : {}) }), error);
          if (error !== undefined) end = toWire(error);
        }
        if (end !== undefined) throw end;
      },
    };
  };
};
