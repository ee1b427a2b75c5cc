import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { endStreamFlag, endStreamFromJson, errorFromJsonBytes } from '@connectrpc/connect/protocol-connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { trailerFlag, trailerParse } from '@connectrpc/connect/protocol-grpc-web';
import { CardService, GetCardRequestSchema } from '@florin/proto/card/v1/card_service';
import { ErrorInfoSchema } from '@florin/proto/common/v1/error_info';
import { ChallengeService, WatchChallengeRequestSchema } from '@florin/proto/threeds/v1/challenge_service';
import { Client, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError, isErrorCode } from '../errors/index.ts';
import { implementPart, quietLogger } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { pause } from '../time.ts';
import { type Listener, publicMethod, serviceMethod, serviceStream, startRpcServer } from './index.ts';

const SCOPE = 'card.cards.read';
const MIB = 1024 * 1024;
const HELD_MS = 400;

/** The id in the request selects how a method fails. */
const fail = async (id: string): Promise<string> => {
  if (id === 'fault') throw new Error('secret');
  if (id === 'held') await pause(HELD_MS);
  return id === 'large' ? 'x'.repeat(5 * MIB) : id;
};

let server: Listener;
beforeAll(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: quietLogger,
    health: {},
    authenticate: async (authorization) => {
      if (authorization !== 'Bearer good') throw new CodedError('UNAUTHORIZED', { metadata: { tokenProblem: 'missing' } });
      return { kind: 'service', name: 'office', expiresAt: new Date(Date.now() + 60_000), scopes: new Set([SCOPE]) };
    },
    services: [
      implementPart(testContract(CardService, { getCard: { access: 'service', scope: SCOPE } }), {
        getCard: serviceMethod(async ({ cardId }) => ({ card: { id: await fail(cardId) } })),
        listCards: publicMethod(() => ({})),
      }),
      implementPart(testContract(ChallengeService, { watchChallenge: { access: 'service', scope: SCOPE } }), {
        watchChallenge: serviceStream(async function* ({ challengeId }) {
          yield { challenge: { id: await fail(challengeId) } };
        }),
      }),
    ],
  });
});
afterAll(() => server.close(0));

const GET_CARD = '/florin.card.v1.CardService/GetCard';
const cardOf = (cardId: string): Uint8Array => toBinary(GetCardRequestSchema, create(GetCardRequestSchema, { cardId }));
const watchOf = (challengeId: string): Uint8Array =>
  toBinary(WatchChallengeRequestSchema, create(WatchChallengeRequestSchema, { challengeId }));
const json = (cardId: string): Uint8Array => Buffer.from(JSON.stringify({ cardId }));

/** The forms in which an RPC can be called. Those with messages in envelopes name the length prefix's flag of a compressed one. */
const UNARY = { deadline: 'connect-timeout-ms', encoding: 'content-encoding', enveloped: false };
const GRPC = { deadline: 'grpc-timeout', encoding: 'grpc-encoding', enveloped: true };
const FORMS = {
  'Connect, binary, HTTP/1.1': { ...UNARY, http2: false, type: 'application/proto', path: GET_CARD, encode: cardOf },
  'Connect, JSON': { ...UNARY, http2: false, type: 'application/json', path: GET_CARD, encode: json },
  'Connect, binary, HTTP/2': { ...UNARY, http2: true, type: 'application/proto', path: GET_CARD, encode: cardOf },
  'Connect, stream': {
    deadline: 'connect-timeout-ms',
    encoding: 'connect-content-encoding',
    enveloped: true,
    http2: false,
    type: 'application/connect+proto',
    path: '/florin.threeds.v1.ChallengeService/WatchChallenge',
    encode: watchOf,
  },
  gRPC: { ...GRPC, http2: true, type: 'application/grpc', path: GET_CARD, encode: cardOf },
  'gRPC-Web': { ...GRPC, http2: false, type: 'application/grpc-web+proto', path: GET_CARD, encode: cardOf },
} as const;

type FormName = keyof typeof FORMS;
type Sent = { http2: boolean; method?: string; path: string; headers: Record<string, string>; body?: Uint8Array };
type Received = { status: number; headers: Headers; trailers: Headers; body: Buffer };

const overHttp2 = async ({ method = 'POST', path, headers, body }: Sent): Promise<Received> => {
  const session = connectHttp2(server.url);
  const stream = session.request({ ':method': method, ':path': path, ...headers });
  const received: Received = { status: 0, headers: new Headers(), trailers: new Headers(), body: Buffer.alloc(0) };
  const fields = (given: object) => new Headers(Object.entries(given).filter(([name]) => !name.startsWith(':')) as [string, string][]);
  stream.on('response', (given) => {
    received.status = Number(given[':status']);
    received.headers = fields(given);
  });
  stream.on('trailers', (given) => {
    received.trailers = fields(given);
  });
  stream.on('data', (chunk: Buffer) => {
    received.body = Buffer.concat([received.body, chunk]);
  });
  stream.end(body);
  await once(stream, 'close');
  session.destroy();
  return received;
};

const overHttp1 = async ({ method = 'POST', path, headers, body }: Sent): Promise<Received> => {
  const response = await request(`${server.url}${path}`, { method, headers, body: body ?? null });
  const received = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: new Headers(response.headers as never), trailers: new Headers(), body: received };
};

/** The data of the last message of a stream. */
const lastData = (body: Buffer, flag: number): Buffer | undefined => {
  for (let at = 0; at + 5 <= body.length; at += 5 + body.readUInt32BE(at + 1)) {
    if (body[at] === flag) return body.subarray(at + 5, at + 5 + body.readUInt32BE(at + 1));
  }
  return undefined;
};

/** Reads the error of a response as a client of its protocol does. */
const errorIn = ({ status, headers, trailers, body }: Received): ConnectError => {
  const type = headers.get('content-type') ?? '';
  const unread = new ConnectError(`HTTP ${status}`);
  if (type.startsWith('application/grpc-web'))
    return findTrailerError(trailerParse(lastData(body, trailerFlag) ?? expect.fail())) ?? unread;
  if (type.startsWith('application/grpc')) return findTrailerError(trailers) ?? unread;
  if (type.startsWith('application/connect+')) return endStreamFromJson(lastData(body, endStreamFlag) ?? expect.fail()).error ?? unread;
  return errorFromJsonBytes(body, undefined, unread);
};

const infoIn = (received: Received) => {
  const [info, ...more] = errorIn(received).findDetails(ErrorInfoSchema);
  expect(more).toEqual([]);
  expect(info?.domain).toBe('florin');
  expect(isErrorCode(info?.reason ?? '')).toBe(true);
  return { reason: info?.reason, metadata: info?.metadata };
};

const send = (sent: Sent): Promise<Received> => (sent.http2 ? overHttp2(sent) : overHttp1(sent));

const AUTHORIZED = { authorization: 'Bearer good', te: 'trailers' };
const { te: _te, ...AUTHORIZED_HTTP1 } = AUTHORIZED;

type Problem = { id?: string; body?: Uint8Array; headers?: Record<string, string>; path?: string; flags?: number };

const provoke = async (form: FormName, problem: (given: (typeof FORMS)[FormName]) => Problem) => {
  const given = FORMS[form];
  const { id = 'c', body = given.encode(id), headers = {}, path = given.path, flags = 0 } = problem(given);
  return infoIn(
    await send({
      http2: given.http2,
      path,
      headers: { 'content-type': given.type, ...(given.http2 ? AUTHORIZED : AUTHORIZED_HTTP1), ...headers },
      body: given.enveloped ? encodeEnvelope(flags, body) : body,
    }),
  );
};

const isGrpc = ({ deadline }: { deadline: string }): boolean => deadline === 'grpc-timeout';

describe.each(Object.keys(FORMS) as FormName[])('an error of the protocol has ErrorInfo: %s', (form) => {
  it.each<[string, (given: (typeof FORMS)[FormName]) => Problem, string, Record<string, string>?]>([
    ['an unknown RPC', () => ({ path: '/florin.card.v1.CardService/Nothing' }), 'RPC_NOT_FOUND'],
    ['the RPC of another service', () => ({ path: '/florin.ledger.v1.EntryService/CreateEntries' }), 'RPC_NOT_FOUND'],
    ['no token', () => ({ headers: { authorization: '' } }), 'UNAUTHORIZED', { tokenProblem: 'missing' }],
    ['a message that is not of the contract', () => ({ body: Buffer.from([0xff, 0xff]) }), 'MALFORMED_BODY'],
    ['a message above the limit', () => ({ body: Buffer.alloc(MIB + 1) }), 'PAYLOAD_TOO_LARGE', { maxBytes: '1048576' }],
    ['a response above the limit', () => ({ id: 'large' }), 'PAYLOAD_TOO_LARGE', { maxBytes: '4194304' }],
    ['an unknown compression', ({ encoding }) => ({ headers: { [encoding]: 'br' }, flags: 1 }), 'UNSUPPORTED_CONTENT_ENCODING'],
    ['a message that is not compressed as stated', ({ encoding }) => ({ headers: { [encoding]: 'gzip' }, flags: 1 }), 'MALFORMED_BODY'],
    [
      'a deadline that passes',
      (given) => ({ id: 'held', headers: { [given.deadline]: isGrpc(given) ? '50m' : '50' } }),
      'UPSTREAM_TIMEOUT',
    ],
    ['a malformed deadline', ({ deadline }) => ({ headers: { [deadline]: 'soon' } }), 'INVALID_DEADLINE', { maxMs: '60000' }],
    [
      'a deadline above the maximum',
      (given) => ({ headers: { [given.deadline]: isGrpc(given) ? '2M' : '120000' } }),
      'INVALID_DEADLINE',
      { maxMs: '60000' },
    ],
    ['a fault', () => ({ id: 'fault' }), 'INTERNAL_ERROR'],
  ])('%s', async (_what, problem, reason, metadata = {}) => {
    expect(await provoke(form, problem)).toEqual({ reason, metadata });
  });
});

describe('a call that is rejected before its body has ended', () => {
  it.each(['application/proto', 'application/json', 'application/grpc-web+proto'])('leaves the connection usable: %s', async (type) => {
    const connection = new Client(server.url);
    const call = async (body: Uint8Array) => {
      const options = { path: GET_CARD, method: 'POST', headers: { 'content-type': type, ...AUTHORIZED_HTTP1 } } as const;
      const response = await connection.request({ ...options, body });
      return response.body.text();
    };
    expect(await call(encodeEnvelope(0, Buffer.alloc(3 * MIB)))).toMatch(/larger|exceeds/);
    expect(await call(encodeEnvelope(0, cardOf('c')))).not.toMatch(/larger|exceeds/);
    await connection.destroy();
  });
});

describe('an error of the protocol has ErrorInfo', () => {
  it.each(['gRPC', 'gRPC-Web', 'Connect, stream'] as const)('for a request without a message: %s', async (form) => {
    const { http2, type, path } = FORMS[form];
    const headers = { 'content-type': type, ...(http2 ? AUTHORIZED : AUTHORIZED_HTTP1) };
    expect(infoIn(await send({ http2, path, headers }))).toEqual({ reason: 'MALFORMED_BODY', metadata: {} });
  });

  it.each(['Connect, binary, HTTP/1.1', 'Connect, JSON', 'gRPC', 'gRPC-Web'] as const)(
    'for a message above the limit of strangers: %s',
    async (form) => {
      const path = '/florin.card.v1.CardService/ListCards';
      const info = await provoke(form, () => ({ path, body: Buffer.alloc(17_000), headers: { authorization: '' } }));
      expect(info).toEqual({ reason: 'PAYLOAD_TOO_LARGE', metadata: { maxBytes: '16384' } });
    },
  );

  it.each([
    [false, 'text/plain', 415],
    [true, 'application/xml', 415],
    [false, 'application/grpc-web-text', 200],
    [true, 'application/grpc+thrift', 200],
    [false, 'application/connect+xml', 200],
  ])('for an unsupported content type (HTTP/2: %j): %s', async (http2, type, status) => {
    const received = await send({ http2, path: GET_CARD, headers: { 'content-type': type }, body: Buffer.from('x') });
    expect(received.status).toBe(status);
    expect(infoIn(received).reason).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('for an HTTP method that the RPC does not accept', async () => {
    const received = await send({ http2: false, method: 'PUT', path: GET_CARD, headers: { 'content-type': 'application/json' } });
    expect(received.status).toBe(405);
    expect(infoIn(received).reason).toBe('METHOD_NOT_ALLOWED');
  });

  it('for a call over HTTP/1.1 that streams in both directions', async () => {
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const received = await send({ http2: false, path, headers: { 'content-type': 'application/grpc-web+proto' } });
    expect(infoIn(received).reason).toBe('HTTP_VERSION_NOT_SUPPORTED');
  });

  it('for a health check of an unknown service', async () => {
    const path = '/grpc.health.v1.Health/Check';
    const body = Buffer.from('{"service":"unknown"}');
    const received = await send({ http2: false, path, headers: { 'content-type': 'application/json' }, body });
    expect(infoIn(received).reason).toBe('NOT_FOUND');
  });

  it('for a request that is not valid HTTP', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST ${GET_CARD} HTTP/1.1\r\nHost: [\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(first.toString()).toContain('400 Bad Request');
    expect(first.toString()).toContain('"reason":"MALFORMED_BODY"');
  });
});
