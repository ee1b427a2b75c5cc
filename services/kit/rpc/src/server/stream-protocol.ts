import type { IncomingHttpHeaders } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressedFlag, compressionNegotiate, encodeEnvelope, envelopeDecompress } from '@connectrpc/connect/protocol';
import * as connect from '@connectrpc/connect/protocol-connect';
import * as grpc from '@connectrpc/connect/protocol-grpc';
import * as grpcWeb from '@connectrpc/connect/protocol-grpc-web';
import { compressionGzip } from '@connectrpc/connect-node';
import { MAX_TIMEOUT_MS, READ_MAX_BYTES } from './limits.ts';

/** How one protocol frames a call that answers a stream. Messages look the same in all three; their ends do not. */
export type StreamProtocol = {
  contentType: string;
  /** Protobuf's binary format, or its JSON format. */
  binary: boolean;
  /** The time that the caller gives the call. @throws ConnectError when it is none, or longer than allowed */
  timeoutMs: (headers: IncomingHttpHeaders) => number | undefined;
  /** The one message of a request's body. @throws ConnectError when there is none, more than one, or a broken one */
  readMessage: (headers: IncomingHttpHeaders, body: Uint8Array) => Promise<Uint8Array>;
  /** What follows the last message: bytes of the body, and trailers (HTTP). */
  end: (error: ConnectError | undefined) => { bytes?: Uint8Array; trailers?: Record<string, string> };
};

type HeaderNames = { timeout: string; encoding: string; acceptEncoding: string };

const CONNECT_HEADERS: HeaderNames = {
  timeout: connect.headerTimeout,
  encoding: connect.headerStreamEncoding,
  acceptEncoding: connect.headerStreamAcceptEncoding,
};
const GRPC_HEADERS: HeaderNames = { timeout: grpc.headerTimeout, encoding: grpc.headerEncoding, acceptEncoding: grpc.headerAcceptEncoding };

const ENVELOPE_HEAD_BYTES = 5;

const headerOf = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
};

/** Messages are not compressed on their way out: they have a few hundred bytes, and a compressor each would hold more than all else. */
const readMessage =
  (names: HeaderNames): StreamProtocol['readMessage'] =>
  async (headers, body) => {
    const { request, error } = compressionNegotiate([compressionGzip], headerOf(headers, names.encoding), null, names.acceptEncoding);
    if (error !== undefined) throw error;
    const length = body.byteLength < ENVELOPE_HEAD_BYTES ? -1 : new DataView(body.buffer, body.byteOffset).getUint32(1);
    const data = body.subarray(ENVELOPE_HEAD_BYTES);
    if (data.byteLength !== length) throw new ConnectError('protocol error: the request is not exactly one message', Code.InvalidArgument);
    const flags = body[0] ?? 0;
    if ((flags & ~compressedFlag) !== 0) throw new ConnectError('protocol error: unexpected flags', Code.InvalidArgument);
    return (await envelopeDecompress({ flags, data }, request, READ_MAX_BYTES)).data;
  };

const common = (names: HeaderNames, parse: typeof grpc.parseTimeout): Pick<StreamProtocol, 'timeoutMs' | 'readMessage'> => ({
  timeoutMs: (headers) => {
    const { timeoutMs, error } = parse(headerOf(headers, names.timeout), MAX_TIMEOUT_MS);
    if (error !== undefined) throw error;
    return timeoutMs;
  },
  readMessage: readMessage(names),
});

const OF_CONNECT = common(CONNECT_HEADERS, connect.parseTimeout);
const OF_GRPC = common(GRPC_HEADERS, grpc.parseTimeout);

const serializeEnd = connect.createEndStreamSerialization(undefined).serialize;

const connectEnd: StreamProtocol['end'] = (error) => ({
  bytes: encodeEnvelope(connect.endStreamFlag, serializeEnd({ metadata: new Headers(), ...(error === undefined ? {} : { error }) })),
});
const grpcEnd: StreamProtocol['end'] = (error) => ({ trailers: Object.fromEntries(grpc.setTrailerStatus(new Headers(), error)) });
const grpcWebEnd: StreamProtocol['end'] = (error) => ({
  bytes: encodeEnvelope(grpcWeb.trailerFlag, grpcWeb.trailerSerialize(grpc.setTrailerStatus(new Headers(), error))),
});

/** The protocol of a request by its content type; undefined when it is none that carries streams. */
export const streamProtocol = (contentType: string | undefined): StreamProtocol | undefined => {
  const text = contentType ?? null;
  const asConnect = connect.parseContentType(text);
  if (asConnect?.stream === true) {
    const { binary } = asConnect;
    return { ...OF_CONNECT, binary, contentType: binary ? connect.contentTypeStreamProto : connect.contentTypeStreamJson, end: connectEnd };
  }
  const asGrpc = grpc.parseContentType(text);
  if (asGrpc !== undefined) {
    const { binary } = asGrpc;
    return { ...OF_GRPC, binary, contentType: binary ? grpc.contentTypeProto : grpc.contentTypeJson, end: grpcEnd };
  }
  const asGrpcWeb = grpcWeb.parseContentType(text);
  // The base64 form is for browsers that cannot read bytes; none is left.
  if (asGrpcWeb === undefined || asGrpcWeb.text) return undefined;
  const { binary } = asGrpcWeb;
  return { ...OF_GRPC, binary, contentType: binary ? grpcWeb.contentTypeProto : grpcWeb.contentTypeJson, end: grpcWebEnd };
};
