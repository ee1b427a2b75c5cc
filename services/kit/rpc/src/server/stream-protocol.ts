import type { IncomingHttpHeaders } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressedFlag, compressionNegotiate, encodeEnvelope, envelopeDecompress } from '@connectrpc/connect/protocol';
import * as connect from '@connectrpc/connect/protocol-connect';
import * as grpc from '@connectrpc/connect/protocol-grpc';
import * as grpcWeb from '@connectrpc/connect/protocol-grpc-web';
import { compressionGzip } from '@connectrpc/connect-node';
import { MAX_TIMEOUT_MS, READ_MAX_BYTES } from './limits.ts';

/** How a protocol frames a server-streaming call. Messages have the same form in all three protocols; the end of the stream differs. */
export type StreamProtocol = {
  contentType: string;
  /** Protobuf's binary format, or its JSON format. */
  binary: boolean;
  /** Returns the caller's deadline in milliseconds. @throws ConnectError when it is malformed or above the maximum */
  timeoutMs: (headers: IncomingHttpHeaders) => number | undefined;
  /** Returns the bytes of the request message. @throws ConnectError unless the body is exactly one well-formed message */
  readMessage: (headers: IncomingHttpHeaders, body: Uint8Array) => Promise<Uint8Array>;
  /** Encodes the end of the stream as bytes of the body, HTTP trailers, or both. */
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

/** Decompresses a request. Responses are not compressed: at a few hundred bytes each, a compressor per stream would dominate its memory. */
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

/** Returns the protocol for a content type, or undefined when the content type does not carry streams. */
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
  // The base64 form, for browsers that cannot read binary responses, is not supported.
  if (asGrpcWeb === undefined || asGrpcWeb.text) return undefined;
  const { binary } = asGrpcWeb;
  return { ...OF_GRPC, binary, contentType: binary ? grpcWeb.contentTypeProto : grpcWeb.contentTypeJson, end: grpcWebEnd };
};
