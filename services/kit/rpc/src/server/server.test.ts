import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { CardService, GetCardRequestSchema, GetCardResponseSchema } from '@florin/proto/card/v1/card_service';
import { ServerReflection } from '@florin/proto/grpc/reflection/v1/reflection';
import { ServerReflection as ServerReflectionAlpha } from '@florin/proto/grpc/reflection/v1alpha/reflection';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { credentials, Metadata, makeGenericClientConstructor, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, createServiceTokenSource, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { createRpcChannel, onBehalfOf } from '../client/index.ts';
import { CodedError } from '../errors/index.ts';
import { createTestAuthority, implementPart, quietLogger } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { implement, type Listener, serviceMethod, startRpcServer, userMethod } from './index.ts';

const USER = { wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId: '01890a5d-ac96-774b-bcce-b302099a8057' };

const authority = await createTestAuthority({ threeds: ['card.cards.read'], other: [] });
const authenticate = createAuthenticator({
  user: createUserTokenVerifier(authority.userKeys, () => new Date()),
  revoked: { check: () => undefined },
  service: createServiceTokenVerifier('card', authority.trust),
});

const USERS = { access: 'user' } as const;
const READERS = { access: 'service', scope: 'card.cards.read' } as const;

let healthy = true;
let server: Listener;

beforeAll(async () => {
  const reject = () => {
    throw new CodedError('CARD_NOT_FOUND');
  };
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    authenticate,
    logger: quietLogger,
    health: { store: () => (healthy ? Promise.resolve() : Promise.reject(new Error('down'))) },
    documents: { '/document': async () => ({ hello: 'world' }) },
    services: [
      implementPart(
        testContract(CardService, {
          createVirtualCard: USERS,
          listCards: USERS,
          getCard: READERS,
          updatePhone: USERS,
          getCurrentCardholder: USERS,
        }),
        {
          createVirtualCard: userMethod(() => {
            throw new Error('secret internal detail');
          }),
          listCards: userMethod((_request, { caller }) => ({ cards: [{ userId: caller.userId }] })),
          getCard: serviceMethod(({ cardId }, { caller }) =>
            cardId === 'missing' ? reject() : { card: { id: cardId, name: caller.name } },
          ),
          updatePhone: userMethod(reject),
          getCurrentCardholder: userMethod(reject),
        },
      ),
    ],
  });
});

afterAll(() => server.close());

const channelAs = (client: string, scopes: string[]) =>
  createRpcChannel({
    baseUrl: server.url,
    serviceToken: createServiceTokenSource({ key: authority.serviceKey(client), audience: 'card', scopes }),
  });

describe('RPC server', () => {
  it('serves gRPC, gRPC-Web and Connect, over HTTP/2 and HTTP/1.1, on one port', async () => {
    const token = await authority.serviceToken('threeds', 'card', ['card.cards.read']);
    const headers = { authorization: `Bearer ${token}` };
    const transports = [
      createGrpcTransport({ baseUrl: server.url }),
      createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' }),
      createGrpcWebTransport({ baseUrl: server.url, httpVersion: '2' }),
      createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' }),
      createConnectTransport({ baseUrl: server.url, httpVersion: '2' }),
    ];
    for (const transport of transports) {
      const { card } = await createClient(CardService, transport).getCard({ cardId: 'x' }, { headers });
      expect(card).toMatchObject({ id: 'x', name: 'threeds' });
    }
  });

  it('serves a plain grpc-js client, including errors', async () => {
    const Client = makeGenericClientConstructor(
      {
        getCard: {
          path: '/florin.card.v1.CardService/GetCard',
          requestStream: false,
          responseStream: false,
          requestSerialize: (id: string) => Buffer.from(toBinary(GetCardRequestSchema, create(GetCardRequestSchema, { cardId: id }))),
          requestDeserialize: (bytes: Buffer) => bytes,
          responseSerialize: (bytes: Buffer) => bytes,
          responseDeserialize: (bytes: Buffer) => bytes,
        },
      },
      'CardService',
    );
    const client = new Client(server.url.replace('http://', ''), credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${await authority.serviceToken('threeds', 'card', ['card.cards.read'])}`);
    const call = (id: string) =>
      new Promise<{ code: number; reply?: Buffer; details?: Buffer | string | undefined }>((resolve) => {
        client['getCard']?.(id, metadata, (error: { code: number; metadata: Metadata } | null, reply: Buffer) =>
          resolve(error === null ? { code: 0, reply } : { code: error.code, details: error.metadata.get('grpc-status-details-bin')[0] }),
        );
      });
    expect(await call('y')).toEqual({
      code: status.OK,
      reply: Buffer.from(toBinary(GetCardResponseSchema, create(GetCardResponseSchema, { card: { id: 'y', name: 'threeds' } }))),
    });
    const rejected = await call('missing');
    expect(rejected.code).toBe(status.NOT_FOUND);
    expect(String(rejected.details)).toContain('CARD_NOT_FOUND');
    client.close();
  });

  it('returns coded errors to clients without the text of faults', async () => {
    const channel = channelAs('threeds', ['card.cards.read']);
    await expect(channel.client(CardService).getCard({ cardId: 'missing' })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    const token = await authority.userToken(USER);
    const error = await channel
      .client(CardService)
      .createVirtualCard({}, onBehalfOf({ token, requestId: 'r-1' }))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(String(error)).not.toContain('secret');
    await channel.close();
  });

  it.each([
    ['no token', undefined, 'UNAUTHORIZED'],
    ['garbage', 'Bearer a.b.c', 'UNAUTHORIZED'],
    ['a service token without the scope', () => authority.serviceToken('other', 'card', ['card.cards.read']), 'FORBIDDEN'],
    ['a service token for another service', () => authority.serviceToken('threeds', 'ledger', ['card.cards.read']), 'UNAUTHORIZED'],
    ['a user token', () => authority.userToken(USER), 'FORBIDDEN'],
  ])('rejects a service method call with %s', async (_name, token, code) => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const value = typeof token === 'function' ? `Bearer ${await token()}` : token;
    const headers: Record<string, string> = value === undefined ? {} : { authorization: value };
    await expect(channel.client(CardService).getCard({ cardId: 'x' }, { headers })).rejects.toMatchObject({ code });
    await channel.close();
  });

  it.each([
    ['a wallet token', () => authority.userToken({ wallet: USER.wallet }), 'USER_NOT_REGISTERED'],
    ['an expired user token', () => authority.userToken(USER, new Date(Date.now() - 1000)), 'UNAUTHORIZED'],
    ['a service token', () => authority.serviceToken('threeds', 'card', ['card.cards.read']), 'FORBIDDEN'],
  ])('rejects a user method call with %s', async (_name, token, code) => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const call = channel.client(CardService).listCards({}, onBehalfOf({ token: await token(), requestId: 'r' }));
    await expect(call).rejects.toMatchObject({ code });
    await channel.close();
  });

  it('reports its health and that of its dependencies', async () => {
    const client = createClient(Health, createGrpcTransport({ baseUrl: server.url }));
    expect((await client.check({})).status).toBe(Status.SERVING);
    healthy = false;
    expect((await client.check({ service: CardService.typeName })).status).toBe(Status.NOT_SERVING);
    expect((await client.check({ service: 'liveness' })).status).toBe(Status.SERVING);
    expect((await client.list({})).statuses).toMatchObject({ '': { status: Status.NOT_SERVING }, liveness: { status: Status.SERVING } });
    healthy = true;
    await expect(client.check({ service: 'unknown' })).rejects.toThrow('unknown service');
    const probe = await fetch(`${server.url}/grpc.health.v1.Health/Check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await probe.json()).toEqual({ status: 'SERVING' });
  });

  it('logs calls of callers who are not authenticated at level debug only', async () => {
    const lines: [level: string, text: unknown][] = [];
    const logger = Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [level, (_fields: unknown, text: unknown) => lines.push([level, text])]),
    ) as unknown as typeof quietLogger;
    const services = [implementPart(testContract(CardService, { listCards: { access: 'user' } }), { listCards: userMethod(() => ({})) })];
    const noisy = await startRpcServer({ host: '127.0.0.1', port: 0, logger, health: {}, authenticate, services });
    await fetch(`${noisy.url}/florin.card.v1.CardService/ListCards`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(lines).toEqual([['debug', 'rpc rejected']]);
    await noisy.close(0);
  });

  it('reflects nothing where reflection is off', async () => {
    const silent = await startRpcServer({
      host: '127.0.0.1',
      port: 0,
      logger: quietLogger,
      health: {},
      authenticate,
      services: [],
      reflection: false,
    });
    const [reflected, healthy] = await Promise.all(
      ['grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'grpc.health.v1.Health/Check'].map((path) =>
        fetch(`${silent.url}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      ),
    );
    expect([reflected?.status, healthy?.status]).toEqual([404, 200]);
    await silent.close(0);
  });

  it.each([ServerReflection, ServerReflectionAlpha])('reflects its contracts: $typeName', async (service) => {
    const client = createClient(service as typeof ServerReflection, createGrpcTransport({ baseUrl: server.url }));
    async function* requests() {
      yield { messageRequest: { case: 'listServices' as const, value: '' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'florin.card.v1.CardService.GetCard' } };
      yield { messageRequest: { case: 'fileByFilename' as const, value: 'florin/card/v1/card.proto' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'florin.common.v1.ErrorInfo' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'grpc.health.v1.Health' } };
      yield { messageRequest: { case: 'fileContainingSymbol' as const, value: 'unknown.Symbol' } };
    }
    const responses = [];
    for await (const { messageResponse } of client.serverReflectionInfo(requests())) responses.push(messageResponse);
    expect(responses.map(({ case: kind }) => kind)).toEqual([
      'listServicesResponse',
      'fileDescriptorResponse',
      'fileDescriptorResponse',
      'fileDescriptorResponse',
      'fileDescriptorResponse',
      'errorResponse',
    ]);
    expect(JSON.stringify(responses[0]?.value)).toContain('florin.card.v1.CardService');
  });

  it('serves documents', async () => {
    expect(await (await fetch(`${server.url}/document`)).json()).toEqual({ hello: 'world' });
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
  });

  it('rejects messages over its limit', async () => {
    const token = await authority.serviceToken('threeds', 'card', ['card.cards.read']);
    const response = await fetch(`${server.url}/florin.card.v1.CardService/GetCard`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ cardId: 'x'.repeat(2 * 1024 * 1024) }),
    });
    expect(await response.json()).toMatchObject({ code: 'resource_exhausted' });
  });

  it.each([
    ['gzip', gzipSync, 'resource_exhausted'],
    ['br', brotliCompressSync, 'unimplemented'],
  ])('does not inflate messages beyond its limit: %s', async (encoding, compress, code) => {
    const token = await authority.serviceToken('threeds', 'card', ['card.cards.read']);
    const response = await fetch(`${server.url}/florin.card.v1.CardService/GetCard`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding, authorization: `Bearer ${token}` },
      body: new Uint8Array(compress(Buffer.alloc(16 * 1024 * 1024))),
    });
    expect(await response.json()).toMatchObject({ code });
  });
});

describe('authorization', () => {
  const LARGE = 1024 * 1024;

  /** Sends the headers of a call with a large body, and none of the body. */
  const begin = async (path: string, headers: Record<string, string>): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1');
    const lines = Object.entries({ host: 'x', 'content-length': String(LARGE), ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return first.toString();
  };

  it.each([
    ['Connect, binary', 'application/proto', '401', 'unauthenticated'],
    ['Connect, JSON', 'application/json', '401', 'unauthenticated'],
    ['gRPC-Web', 'application/grpc-web+proto', '200', 'grpc-status: 16'],
  ])('is checked before the body is read: %s', async (_name, type, status, text) => {
    for (const authorization of ['', 'Bearer a.b.c']) {
      const response = await begin('/florin.card.v1.CardService/GetCard', { 'content-type': type, authorization });
      expect(response).toContain(`HTTP/1.1 ${status}`);
      expect(response).toContain(text);
    }
  });

  it('is checked before the body is read: gRPC', async () => {
    const session = connectHttp2(server.url);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/florin.card.v1.CardService/GetCard',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.resume();
    const [trailers] = (await once(stream, 'trailers')) as [Record<string, string>];
    expect(trailers['grpc-status']).toBe('16');
    session.destroy();
  });
});

describe('an unreadable request', () => {
  it.each([
    ['a Host header that is no authority', 'HTTP/1.1\r\nHost: [\r\n'],
    ['HTTP/1.0 without a Host header', 'HTTP/1.0\r\n'],
  ])('is rejected and leaves the server running: %s', async (_what, rest) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST /florin.card.v1.CardService/GetCard ${rest}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toContain('400 Bad Request');
    socket.destroy();
    expect((await fetch(`${server.url}/document`)).status).toBe(200);
  });
});

describe('implement', () => {
  it('rejects a contract with a missing method', () => {
    expect(() => implement(CardService, {} as never)).toThrow('has no method');
  });
});
