import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressionGzip } from '@connectrpc/connect-node';
import { decode, encode } from '../codec/index.ts';
import { httpStatusOf, toErrorBody } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { peerNames } from '../tls/index.ts';
import { createCallControl, type UnaryControl } from './call-control.ts';
import type { BeginCall, NodeHandler } from './exchange.ts';
import { ANONYMOUS_READ_MAX_BYTES, COMPRESS_MIN_BYTES, MAX_TIMEOUT_MS, READ_MAX_BYTES, WRITE_MAX_BYTES } from './limits.ts';
import type { DescribeError, FailedRequest } from './protocol-errors.ts';
import { readBody } from './read-body.ts';

const TYPE = 'application/proto';

/** Reports whether a request is a unary call in Connect's binary format over HTTP/1.1, the form in which processes of the platform call. */
export const isBinaryUnary = ({ method, headers, httpVersionMajor }: IncomingMessage): boolean =>
  method === 'POST' && httpVersionMajor === 1 && headers['content-type']?.toLowerCase() === TYPE;

/** @throws ConnectError UNIMPLEMENTED for a compression other than gzip */
const isCompressed = (encoding: string | undefined): boolean => {
  if (encoding === undefined || encoding === 'identity') return false;
  if (encoding === compressionGzip.name) return true;
  const message = `unknown compression "${encoding}": supported encodings are ${compressionGzip.name}`;
  throw new ConnectError(message, Code.Unimplemented, { 'Accept-Encoding': compressionGzip.name });
};

const acceptsGzip = ({ 'accept-encoding': accepted = '', 'content-encoding': sent }: IncomingHttpHeaders): boolean =>
  accepted === '' ? sent === compressionGzip.name : accepted.split(',').some((name) => name.trim() === compressionGzip.name);

/** @throws ConnectError INVALID_ARGUMENT when the deadline is malformed or above the maximum */
const timeoutOf = (header: string | string[] | undefined): number | undefined => {
  if (header === undefined) return undefined;
  const text = String(header);
  if (!/^\d{1,10}$/.test(text)) throw new ConnectError(`protocol error: invalid connect timeout value: ${text}`, Code.InvalidArgument);
  const timeoutMs = Number(text);
  if (timeoutMs > MAX_TIMEOUT_MS) throw new ConnectError(`timeout ${timeoutMs}ms must be <= ${MAX_TIMEOUT_MS}`, Code.InvalidArgument);
  return timeoutMs;
};

const parse = (desc: DescMethodUnary, bytes: Uint8Array) => {
  try {
    return decode(desc.input, bytes);
  } catch (thrown) {
    throw new ConnectError(`parse binary: ${(thrown as Error).message}`, Code.Internal);
  }
};

const serialize = (desc: DescMethodUnary, message: MessageInitShape<DescMethodUnary['output']>): Uint8Array => {
  const bytes = encode(desc.output, message);
  if (bytes.byteLength > WRITE_MAX_BYTES) {
    throw new ConnectError(
      `message size ${bytes.byteLength} is larger than configured writeMaxBytes ${WRITE_MAX_BYTES}`,
      Code.ResourceExhausted,
    );
  }
  return bytes;
};

const inflate = async (bytes: Uint8Array): Promise<Uint8Array> =>
  compressionGzip.decompress(bytes as Uint8Array<ArrayBuffer>, READ_MAX_BYTES);

/** Rejects with DEADLINE_EXCEEDED after `timeoutMs`. The work goes on; its outcome is unknown to the caller. */
const withinDeadline = <T>(work: Promise<T>, timeoutMs: number, control: UnaryControl): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new ConnectError('the operation timed out', Code.DeadlineExceeded);
      control.end(error);
      reject(error);
    }, timeoutMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });

const send = async (request: IncomingMessage, response: ServerResponse, control: UnaryControl, status: number, body: Uint8Array) => {
  let bytes = body;
  if (body.byteLength >= COMPRESS_MIN_BYTES && acceptsGzip(request.headers)) {
    bytes = await compressionGzip.compress(body as Uint8Array<ArrayBuffer>);
    control.headers['content-encoding'] = compressionGzip.name;
  }
  if (control.disconnected()) return;
  control.headers['content-length'] = String(bytes.byteLength);
  response.writeHead(status, control.headers);
  response.end(bytes);
};

/**
 * Serves a unary method in the binary format of the Connect protocol over HTTP/1.1. Every other form of a call is served by Connect's own
 * server; both give the same responses. This one exists because most calls have this form, and it makes no stream, no iterable and no
 * abort controller per call.
 * @param options `describe` describes errors of the protocol itself, which are sent as they are without it
 */
export const unaryHandler = (
  desc: DescMethodUnary,
  begin: BeginCall,
  { logger, describe }: { logger: Logger; describe?: DescribeError },
): NodeHandler => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers } = request;
    const begun = begin({ headers, peer: peerNames(request.socket) });
    const control = createCallControl(response, begun.headers);
    const failed: FailedRequest = { headers, maxBytes: begun.anonymous ? ANONYMOUS_READ_MAX_BYTES : READ_MAX_BYTES };
    const work = async (compressed: boolean): Promise<Uint8Array> => {
      await begun.admit();
      const bytes = await readBody(request, failed.maxBytes);
      const message = parse(desc, compressed ? await inflate(bytes) : bytes);
      failed.ran = true;
      return serialize(desc, await begun.run(message, control));
    };
    try {
      const compressed = isCompressed(headers['content-encoding']);
      const timeoutMs = timeoutOf(headers['connect-timeout-ms']);
      const body = await (timeoutMs === undefined ? work(compressed) : withinDeadline(work(compressed), timeoutMs, control));
      control.headers['content-type'] = TYPE;
      await send(request, response, control, 200, body);
    } catch (thrown) {
      const raised = thrown instanceof ConnectError ? thrown : new ConnectError('internal error', Code.Internal);
      const error = describe === undefined ? raised : describe(raised, failed);
      if (raised !== thrown) logger.error({ err: thrown, rpc: `${desc.parent.typeName}/${desc.name}` }, 'rpc failed');
      for (const [name, value] of error.metadata) control.setHeader(name, value);
      control.headers['content-type'] = 'application/json';
      await send(request, response, control, httpStatusOf(error.code), toErrorBody(error));
    }
  };
  return (request, response) => {
    serve(request, response).catch((err: unknown) => {
      logger.error({ err }, 'sending a response failed');
      response.destroy();
    });
  };
};
