import type { IncomingHttpHeaders } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressionGzip } from '@connectrpc/connect-node';
import type { Dispatcher } from 'undici';
import { codeOfHttpStatus, fromErrorBody } from '../errors/index.ts';
import { READ_MAX_BYTES } from './limits.ts';

export type UnaryRequest = {
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: Uint8Array;
  timeoutMs: number | undefined;
  signal: AbortSignal | undefined;
};

export type UnaryResponse = { headers: IncomingHttpHeaders; body: Uint8Array };

type RawResponse = UnaryResponse & { status: number };

const expired = (): ConnectError => new ConnectError('the operation timed out', Code.DeadlineExceeded);
const canceled = (): ConnectError => new ConnectError('the call was canceled', Code.Canceled);
const tooLarge = (): ConnectError => new ConnectError(`the response exceeds ${READ_MAX_BYTES} bytes`, Code.ResourceExhausted);

/** Sends a request and collects the response. A deadline, a cancellation and a response above the limit end it at once. */
const roundTrip = (dispatcher: Dispatcher, { path, headers, body, timeoutMs, signal }: UnaryRequest): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    let timer: NodeJS.Timeout | undefined;
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      if (ended !== undefined) return;
      ended = error;
      release();
      // A request that waits for a connection has no controller yet; it is aborted when it starts.
      controller?.abort(error);
      reject(error);
    };
    const onAbort = (): void => fail(canceled());
    if (signal?.aborted === true) {
      onAbort();
      return;
    }
    signal?.addEventListener('abort', onAbort);
    if (timeoutMs !== undefined) timer = setTimeout(() => fail(expired()), timeoutMs);

    const chunks: Buffer[] = [];
    let bytes = 0;
    const response: RawResponse = { status: 0, headers: {}, body: new Uint8Array() };
    dispatcher.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart: (started) => {
          controller = started;
          if (ended !== undefined) started.abort(ended);
        },
        onResponseStart: (_controller, status, received) => {
          response.status = status;
          response.headers = received;
        },
        onResponseData: (_controller, chunk) => {
          bytes += chunk.byteLength;
          if (bytes > READ_MAX_BYTES) fail(tooLarge());
          else chunks.push(chunk);
        },
        onResponseEnd: () => {
          if (ended !== undefined) return;
          release();
          const [first] = chunks;
          response.body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
          resolve(response);
        },
        onResponseError: (_controller, error) => fail(ConnectError.from(error)),
      },
    );
  });

/** The headers of a response in the form that Connect's interfaces use. */
export const toHeaders = (received: IncomingHttpHeaders): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  return headers;
};

const JSON_TYPE = /^application\/json(?:; ?charset=utf-?8)?$/i;
const FORM = /^application\/(?:connect\+)?(?:json|proto)$/i;

const inflate = async (body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> => {
  if (encoding === undefined || encoding === 'identity') return body;
  if (encoding === compressionGzip.name) return compressionGzip.decompress(body as Uint8Array<ArrayBuffer>, READ_MAX_BYTES);
  throw new ConnectError(`unsupported response encoding "${encoding}"`, Code.Internal);
};

/**
 * Makes one unary call in the binary format of the Connect protocol.
 * @throws ConnectError the service's error, DEADLINE_EXCEEDED, CANCELED, or a failure of the connection as its cause
 */
export const exchange = async (dispatcher: Dispatcher, request: UnaryRequest): Promise<UnaryResponse> => {
  const { status, headers, body } = await roundTrip(dispatcher, request);
  const type = headers['content-type'];
  const bytes = headers['content-encoding'] === undefined ? body : await inflate(body, headers['content-encoding']);
  if (status === 200 && type === 'application/proto') return { headers, body: bytes };
  if (status !== 200 && JSON_TYPE.test(type ?? '')) throw fromErrorBody(bytes, status, toHeaders(headers));
  if (status !== 200) throw new ConnectError(`HTTP ${status}`, codeOfHttpStatus(status), toHeaders(headers));
  // Another form of the protocol is a fault of the service; anything else is no service of the platform.
  throw new ConnectError(`unsupported content type ${type}`, FORM.test(type ?? '') ? Code.Internal : Code.Unknown);
};
