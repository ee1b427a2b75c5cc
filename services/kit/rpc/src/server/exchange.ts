import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';

/** Serves one request over HTTP/1.1, or over HTTP/2 through Node's compatible interface. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The facts of a call before its body is read. */
export type CallStart = {
  headers: IncomingHttpHeaders;
  /** DNS names in the peer's certificate; undefined without mutual TLS. */
  peer: ReadonlySet<string> | undefined;
};

/** Metadata of the response. `this` is declared so that the compiler refuses a function taken out of its object. */
export type ResponseMetadata = {
  /** Adds a header to the response. */
  setHeader(this: ResponseMetadata, name: string, value: string): void;
  /** Adds trailing metadata to the response. */
  setTrailer(this: ResponseMetadata, name: string, value: string): void;
};

/** The protocol's side of a running call. */
export type CallControl = ResponseMetadata & {
  /** Aborts when the caller disconnects or its deadline passes. It is created on first use, because most methods use none. */
  readonly signal: AbortSignal;
  /** Reports whether the caller has disconnected. */
  disconnected(this: CallControl): boolean;
};

/** A unary call whose body has not been read. */
export type BegunCall = {
  /** Headers of every response to this call. */
  headers: Readonly<Record<string, string>>;
  /** True if anyone may make this call. Its body is limited more strictly. */
  anonymous: boolean;
  /** Resolves once the call may continue. @throws ConnectError; the body is not read then */
  admit: () => Promise<unknown>;
  /** Executes the call, after its admission. @throws ConnectError */
  run: (message: MessageShape<DescMessage>, control: CallControl) => Promise<MessageInitShape<DescMessage>>;
};

/** Begins a unary call by its headers. */
export type BeginCall = (start: CallStart) => BegunCall;

/** A server-streaming call whose body has not been read. */
export type BegunStream = Pick<BegunCall, 'headers' | 'anonymous' | 'admit'> & {
  /**
   * Executes the call, after its admission. `reader` aborts when the caller disconnects or its deadline passes; `cut` ends the response
   * without a status, for a caller that does not read.
   * @throws ConnectError
   */
  run: (message: MessageShape<DescMessage>, reader: AbortSignal, cut: () => void) => AsyncIterable<MessageInitShape<DescMessage>>;
};

/** Begins a server-streaming call by its headers. */
export type BeginStream = (start: CallStart) => BegunStream;
