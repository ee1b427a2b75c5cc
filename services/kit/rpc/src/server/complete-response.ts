import { ConnectError } from '@connectrpc/connect';
import { createAsyncIterable, encodeEnvelope, type UniversalServerResponse } from '@connectrpc/connect/protocol';
import { createEndStreamSerialization, endStreamFlag, endStreamFromJson, errorFromJsonBytes } from '@connectrpc/connect/protocol-connect';
import { findTrailerError, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { trailerFlag, trailerParse, trailerSerialize } from '@connectrpc/connect/protocol-grpc-web';
import { toErrorBody, toWire } from '../errors/index.ts';
import { refusalOf } from './protocol-errors.ts';

type Describe = (error: ConnectError) => ConnectError;

type Body = AsyncIterable<Uint8Array>;

/** The flags and the length before each message of a stream (gRPC, "Length-Prefixed-Message"). */
const PREFIX_BYTES = 5;

/** Sets the status of `trailer` to a completed error. @returns whether it has an error */
const completeTrailer = (trailer: Headers, describe: Describe): boolean => {
  const error = findTrailerError(trailer);
  if (error === undefined) return false;
  // The metadata of the error is the trailer itself.
  const { code, rawMessage, details } = describe(error);
  const completed = new ConnectError(rawMessage, code);
  completed.details = details;
  setTrailerStatus(trailer, completed);
  return true;
};

const completeGrpc = async function* (body: Body, trailer: Headers, describe: Describe): Body {
  yield* body;
  completeTrailer(trailer, describe);
};

/** Replaces the last message of a stream, which carries its status. Connect's server writes each message as one chunk. */
const completeLast = async function* (body: Body, flag: number, replace: (data: Uint8Array) => Uint8Array | undefined): Body {
  for await (const chunk of body) {
    const data = chunk[0] === flag ? replace(chunk.subarray(PREFIX_BYTES)) : undefined;
    yield data === undefined ? chunk : encodeEnvelope(flag, data);
  }
};

const completeWebTrailer =
  (describe: Describe) =>
  (data: Uint8Array): Uint8Array | undefined => {
    const trailer = trailerParse(data);
    return completeTrailer(trailer, describe) ? trailerSerialize(trailer) : undefined;
  };

const endStream = createEndStreamSerialization(undefined);

const completeEndStream =
  (describe: Describe) =>
  (data: Uint8Array): Uint8Array | undefined => {
    const { error, metadata } = endStreamFromJson(data);
    if (error === undefined) return undefined;
    const { code, rawMessage, details } = describe(error);
    const completed = new ConnectError(rawMessage, code);
    completed.details = details;
    return endStream.serialize({ metadata, error: completed });
  };

const readAll = async (body: Body): Promise<Uint8Array> => Buffer.concat(await Array.fromAsync(body));

/** The response to a request that reaches no method, in the form that the caller's protocol reads. */
const refuse = ({ status, header }: UniversalServerResponse, contentType: string): UniversalServerResponse => {
  const error = toWire(refusalOf(status));
  const headers = new Headers(header);
  if (contentType.startsWith('application/grpc')) {
    headers.set('content-type', contentType);
    const trailer = setTrailerStatus(new Headers(), error);
    if (!contentType.startsWith('application/grpc-web')) return { status: 200, header: headers, body: createAsyncIterable([]), trailer };
    return { status: 200, header: headers, body: createAsyncIterable([encodeEnvelope(trailerFlag, trailerSerialize(trailer))]) };
  }
  if (contentType.startsWith('application/connect+')) {
    headers.set('content-type', contentType);
    const end = endStream.serialize({ metadata: new Headers(), error });
    return { status: 200, header: headers, body: createAsyncIterable([encodeEnvelope(endStreamFlag, end)]) };
  }
  headers.set('content-type', 'application/json');
  return { status, header: headers, body: createAsyncIterable([toErrorBody(error)]) };
};

/**
 * Completes a response of Connect's server: an error that it raised itself gets ErrorInfo, in each of the protocols.
 * @param contentType type of the request, in lower case
 */
export const completeResponse = async (
  response: UniversalServerResponse,
  contentType: string,
  describe: Describe,
): Promise<UniversalServerResponse> => {
  const { status, body, trailer } = response;
  const type = response.header?.get('content-type') ?? '';
  if (status !== 200 && (body === undefined || body === null)) return refuse(response, contentType);
  if (body === undefined || body === null) return response;
  if (type.startsWith('application/grpc-web')) return { ...response, body: completeLast(body, trailerFlag, completeWebTrailer(describe)) };
  if (type.startsWith('application/grpc')) return { ...response, body: completeGrpc(body, trailer ?? new Headers(), describe) };
  if (type.startsWith('application/connect+')) return { ...response, body: completeLast(body, endStreamFlag, completeEndStream(describe)) };
  if (status === 200) return response;
  const bytes = await readAll(body);
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError('internal error'));
  const described = describe(error);
  if (described === error) return { ...response, body: createAsyncIterable([bytes]) };
  const completed = toErrorBody(described);
  const header = new Headers(response.header);
  header.set('content-length', String(completed.byteLength));
  return { ...response, header, body: createAsyncIterable([completed]) };
};
