import type { IncomingMessage, ServerResponse } from 'node:http';
import { create, type DescMethodServerStreaming, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { createMethodSerializationLookup, encodeEnvelope } from '@connectrpc/connect/protocol';
import { toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id/index.ts';
import { peerNames } from '../tls/index.ts';
import { beginAudit } from './audit.ts';
import { logCall, type Surroundings, startCall } from './call-frame.ts';
import type { NodeHandler } from './exchange.ts';
import { READ_MAX_BYTES, WRITE_MAX_BYTES } from './limits.ts';
import type { StreamMethod } from './method.ts';
import { readBody } from './read-body.ts';
import { type EndOfStream, endOfStream } from './stream-end.ts';
import { type StreamProtocol, streamProtocol } from './stream-protocol.ts';

/** Resolves once the written bytes are flushed, or the stream has to end. */
const drained = async (response: ServerResponse, { reached }: EndOfStream): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  await Promise.race([promise, reached]);
  response.off('drain', resolve);
};

/** Returns the next item, or undefined when the stream has to end first, even if its source never settles. */
const nextItem = async <T>(iterator: AsyncIterator<T>, { reached }: EndOfStream): Promise<IteratorResult<T> | undefined> => {
  const pending = iterator.next();
  const item = await Promise.race([pending, reached]);
  if (item === undefined) pending.catch(() => undefined);
  return item ?? undefined;
};

const writeEnd = (response: ServerResponse, { end }: StreamProtocol, error: ConnectError | undefined): void => {
  const { bytes, trailers } = end(error);
  // On HTTP/2, a response that ends together with its headers has no trailers.
  response.flushHeaders();
  if (trailers !== undefined) response.addTrailers(trailers);
  response.end(bytes);
};

/**
 * Serves a server-streaming method over Connect, gRPC and gRPC-Web, one message at a time, at the reader's pace.
 *
 * This file, stream-protocol.ts and stream-end.ts exist because Connect's own server holds about 30 kB of nested iterables per open
 * stream and the gateway opens one stream per event-stream client; they use exports of Connect that are not part of its public API.
 */
export const streamHandler = (
  desc: DescMethodServerStreaming,
  method: StreamMethod<unknown, unknown>,
  surroundings: Surroundings,
): NodeHandler => {
  const rpc = `${desc.parent.typeName}/${desc.name}`;
  const limits = { readMaxBytes: READ_MAX_BYTES, writeMaxBytes: WRITE_MAX_BYTES };
  const serialization = createMethodSerializationLookup(desc, undefined, undefined, limits);

  const serve = async (request: IncomingMessage, response: ServerResponse, protocol: StreamProtocol): Promise<void> => {
    const end = endOfStream(response, surroundings);
    const { requestId, fields, admit, callOf } = startCall(
      method.policy,
      rpc,
      surroundings,
      (name) => request.headers[name]?.toString(),
      peerNames(request.socket),
    );
    const output = serialization.getO(protocol.binary);
    let messages = 0;
    let iterator: AsyncIterator<unknown> | undefined;
    let thrown: unknown;
    response.statusCode = 200;
    response.setHeader('Content-Type', protocol.contentType);
    response.setHeader(REQUEST_ID_HEADER, requestId);
    try {
      end.endAfter(protocol.timeoutMs(request.headers));
      const call = callOf(await admit(), end);
      end.endWithToken(call.caller, call.token);
      const bytes = await protocol.readMessage(request.headers, await readBody(request, READ_MAX_BYTES));
      const message = serialization.getI(protocol.binary).parse(bytes);
      // The outcome of a stream is recorded when it opens, because from then on the caller may have seen messages, however it ends.
      const recordOutcome = await beginAudit(surroundings.audit, rpc, desc.input, message, call);
      await recordOutcome('OK');
      iterator = method.open(message, call)[Symbol.asyncIterator]();
      for (let item = await nextItem(iterator, end); item !== undefined && item.done !== true; item = await nextItem(iterator, end)) {
        messages += 1;
        const value = create(desc.output, item.value as MessageInitShape<typeof desc.output>);
        if (!response.write(encodeEnvelope(0, output.serialize(value)))) await drained(response, end);
      }
      const reason = end.reason();
      if (reason !== 'disconnected') thrown = reason;
    } catch (error) {
      thrown = error;
    }
    end.release();
    // Not awaited: a source may still be waiting. Its `finally` runs once that wait settles.
    iterator?.return?.().catch(() => undefined);
    const disconnected = end.reason() === 'disconnected';
    // Framing errors keep Connect's error; every other failure becomes a coded error.
    const error = thrown === undefined || thrown instanceof ConnectError ? undefined : toCodedError(thrown);
    const wire = thrown instanceof ConnectError ? thrown : error && toWire(error);
    logCall(surroundings.logger, { ...fields(), messages, ...(disconnected ? { aborted: true } : {}) }, error);
    if (!disconnected) writeEnd(response, protocol, wire);
  };

  return (request, response) => {
    const protocol = streamProtocol(request.headers['content-type']);
    if (request.method !== 'POST') response.writeHead(405, { allow: 'POST' }).end();
    else if (protocol === undefined) response.writeHead(415).end();
    else {
      // A broken connection is handled by `endOfStream`, as a caller that disconnected.
      response.on('error', () => undefined);
      serve(request, response, protocol).catch((err: unknown) => {
        surroundings.logger.error({ err, rpc }, 'stream failed');
        response.destroy();
      });
    }
  };
};
