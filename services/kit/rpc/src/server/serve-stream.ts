import type { DescMethodServerStreaming, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { CodedError, toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id/index.ts';
import { beginAudit } from './audit.ts';
import { beginCall, logCall, type Surroundings } from './call-frame.ts';
import type { StreamMethod } from './method.ts';
import { kPeerNames } from './peer-context.ts';

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
const endOf = (signal: AbortSignal): CodedError | ConnectError | undefined => {
  const reason: unknown = signal.reason;
  if (reason instanceof CodedError) return reason;
  return reason instanceof ConnectError && reason.code === Code.DeadlineExceeded ? reason : undefined;
};

/**
 * Wraps a server-streaming method for Connect's router. The stream ends when the caller disconnects, its deadline passes, or the server
 * closes (SERVICE_UNAVAILABLE: unlike unary calls, streams would not end by themselves). The caller's token only opens the stream.
 */
export const serveStream = (
  rpc: string,
  desc: DescMethodServerStreaming,
  method: StreamMethod<unknown, unknown>,
  surroundings: Surroundings,
) =>
  async function* (request: unknown, context: HandlerContext): AsyncGenerator<unknown> {
    const header = (name: string) => context.requestHeader.get(name);
    const { requestId, logger, fields, admit } = beginCall(method.policy, rpc, surroundings, header, context.values.get(kPeerNames));
    context.responseHeader.set(REQUEST_ID_HEADER, requestId);
    const signal = AbortSignal.any([context.signal, surroundings.closing]);
    let iterator: AsyncIterator<unknown> | undefined;
    let messages = 0;
    let thrown: unknown;
    try {
      const call = await admit(signal);
      // The outcome of a stream is recorded when it opens, because from then on the caller may have seen messages, however it ends.
      const recordOutcome = await beginAudit(surroundings.audit, rpc, desc.input, request as Message, call);
      await recordOutcome('OK');
      iterator = method.open(request, call)[Symbol.asyncIterator]();
      for (let item = await nextItem(iterator, signal); item !== undefined && item.done !== true; item = await nextItem(iterator, signal)) {
        messages += 1;
        yield item.value;
      }
    } catch (error) {
      thrown = error;
    } finally {
      // Not awaited: a source may still be waiting. Its `finally` runs once that wait settles.
      iterator?.return?.().catch(() => undefined);
      const end = signal.aborted ? endOf(signal) : thrown;
      const error = end === undefined || end instanceof ConnectError ? undefined : toCodedError(end);
      const disconnected = context.signal.aborted && end === undefined;
      logCall(logger, { ...fields(), messages, ...(disconnected ? { aborted: true } : {}) }, error);
      thrown = error === undefined ? end : toWire(error);
    }
    if (thrown !== undefined) throw thrown;
  };
