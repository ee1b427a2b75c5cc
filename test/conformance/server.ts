import { setTimeout as pause } from 'node:timers/promises';
import { type DescMethodServerStreaming, type DescMethodUnary, type Message, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect';
import { createLogger } from '@florin/rpc/observe';
import {
  type BeginCall,
  connectHandler,
  isBinaryUnary,
  listen,
  type NodeHandler,
  pathOf,
  type ResponseMetadata,
  unaryHandler,
} from '@florin/rpc/testing/protocol';
import { type Header, type PackedMessage, readContract, toHeaderList, toTypeUrl, typeNameOf, type WireError } from './contract.ts';
import { readMessages, writeMessage } from './frames.ts';

/**
 * The conformance service on the platform's own RPC server. Usage: node server.ts DESCRIPTORS, with the parameters of the server as a
 * message on stdin. Unary methods are served as the platform serves its own; streams and GET requests by Connect's server.
 */

type Definition = {
  responseHeaders: Header[];
  responseTrailers: Header[];
  responseDelayMs: number;
  error?: WireError;
  responseData?: Uint8Array[];
  response?: { case: 'responseData'; value: Uint8Array } | { case: 'error'; value: WireError } | { case: undefined };
};

type Request = Message & { responseDefinition?: Definition };

type Info = { requestHeaders: Header[]; timeoutMs?: bigint; requests: PackedMessage[]; connectGetInfo?: { queryParams: Header[] } };

const { service, message, registry } = readContract(process.argv[2] ?? '');
const logger = createLogger('conformance', 'silent');

const pack = (request: Message): PackedMessage => {
  const desc = message(request.$typeName.slice(request.$typeName.lastIndexOf('.') + 1));
  return { typeUrl: toTypeUrl(desc.typeName), value: toBinary(desc, request) };
};

const infoOf = (request: Request, headers: Iterable<[string, string]>, timeoutMs: number | undefined, url?: string): Info => {
  const query = url === undefined ? [] : toHeaderList(new URL(url).searchParams);
  return {
    requestHeaders: toHeaderList(headers),
    requests: [pack(request)],
    ...(timeoutMs === undefined ? {} : { timeoutMs: BigInt(timeoutMs) }),
    ...(query.length === 0 ? {} : { connectGetInfo: { queryParams: query } }),
  };
};

const toConnectError = ({ code, message: text, details }: WireError, info: Info | undefined): ConnectError => {
  const error = new ConnectError(text ?? '', code);
  error.details.push(...details.map((detail) => ({ type: typeNameOf(detail), value: detail.value })));
  if (info !== undefined) error.details.push({ desc: message('ConformancePayload.RequestInfo'), value: info as never });
  return error;
};

const setMetadata = ({ responseHeaders, responseTrailers }: Definition, metadata: ResponseMetadata): void => {
  for (const { name, value } of responseHeaders) for (const item of value) metadata.setHeader(name, item);
  for (const { name, value } of responseTrailers) for (const item of value) metadata.setTrailer(name, item);
};

const respond = async (
  { responseDefinition: definition }: Request,
  info: Info,
  metadata: ResponseMetadata,
): Promise<Record<string, unknown>> => {
  if (definition === undefined) return { payload: { requestInfo: info } };
  setMetadata(definition, metadata);
  await pause(definition.responseDelayMs);
  const { response } = definition;
  if (response?.case === 'error') throw toConnectError(response.value, info);
  return { payload: { requestInfo: info, ...(response?.case === 'responseData' ? { data: response.value } : {}) } };
};

/** Milliseconds per unit of the header grpc-timeout. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

const timeoutOf = (headers: Readonly<Record<string, unknown>>): number | undefined => {
  const connect = headers['connect-timeout-ms'];
  if (connect !== undefined) return Number(connect);
  const [, value, unit = ''] = /^(\d+)([HMSmun])$/.exec(String(headers['grpc-timeout'] ?? '')) ?? [];
  return value === undefined ? undefined : Math.floor(Number(value) * (UNITS[unit] ?? 0));
};

const toPairs = (headers: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (name.startsWith(':') ? [] : [[name, String(value)] as [string, string]]));

const begin: BeginCall = ({ headers }) => ({
  headers: {},
  anonymous: false,
  admit: async () => undefined,
  run: (request, control) => respond(request, infoOf(request, toPairs(headers), timeoutOf(headers)), control),
});

const metadataOf = ({ responseHeader, responseTrailer }: HandlerContext): ResponseMetadata => ({
  setHeader: (name, value) => responseHeader.append(name, value),
  setTrailer: (name, value) => responseTrailer.append(name, value),
});

const contextInfo = (request: Request, { requestHeader, timeoutMs, requestMethod, url }: HandlerContext): Info =>
  infoOf(request, requestHeader, timeoutMs(), requestMethod === 'GET' ? url : undefined);

const unimplemented = (): never => {
  throw new ConnectError('not implemented', Code.Unimplemented);
};

const serverStream = async function* (request: Request, context: HandlerContext) {
  const { responseDefinition: definition } = request;
  if (definition === undefined) return;
  setMetadata(definition, metadataOf(context));
  let info: Info | undefined = contextInfo(request, context);
  for (const data of definition.responseData ?? []) {
    await pause(definition.responseDelayMs);
    yield { payload: { data, ...(info === undefined ? {} : { requestInfo: info }) } };
    info = undefined;
  }
  if (definition.error !== undefined) throw toConnectError(definition.error, info);
};

const unaryOf = (name: string): DescMethodUnary => {
  const desc = service.method[name];
  if (desc?.methodKind !== 'unary') throw new Error(`the contract has no unary method ${name}`);
  return desc as DescMethodUnary;
};

const register = (router: ConnectRouter): void => {
  router.rpc(unaryOf('idempotentUnary'), (request, context) => respond(request, contextInfo(request, context), metadataOf(context)));
  router.rpc(unaryOf('unimplemented'), unimplemented);
  router.rpc(service.method['serverStream'] as DescMethodServerStreaming, serverStream);
};

const methods = [{ desc: unaryOf('unary'), begin }];
const binary = new Map([unaryOf('unary'), unaryOf('idempotentUnary')].map((desc) => [pathOf(desc), unaryHandler(desc, begin, { logger })]));
const others = connectHandler({ unary: methods, streams: [], register, documents: () => false, logger, jsonOptions: { registry } });

for await (const _parameters of readMessages(message('ServerCompatRequest'))) {
  const serve: NodeHandler = (request, response) => {
    const own = isBinaryUnary(request) ? binary.get(request.url ?? '') : undefined;
    (own ?? others)(request, response);
  };
  const { port } = await listen(serve, { host: '127.0.0.1', port: 0 });
  writeMessage(message('ServerCompatResponse'), { host: '127.0.0.1', port });
  break;
}
