import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CardService } from '@florin/proto/card/v1/card_service';
import { Health } from '@florin/proto/health/v1/health';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { afterEach, describe, expect, it } from 'vitest';
import { CodedError, ERRORS, type ErrorCode } from '../errors/index.ts';
import { type Methods, publicMethod, type ServiceImplementation, startRpcServer } from '../server/index.ts';
import { implementPart, quietLogger, testPort } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { createRpcChannel, onBehalfOf, type RpcChannel, withinRequest } from './index.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of cleanup.splice(0).reverse()) await release();
});

const serve = async (service: ServiceImplementation, port = 0) => {
  const authenticate = async () => {
    throw new CodedError('UNAUTHORIZED');
  };
  const server = await startRpcServer({ host: '127.0.0.1', port, authenticate, logger: quietLogger, health: {}, services: [service] });
  cleanup.push(() => server.close(0));
  return server;
};

const channelTo = (baseUrl: string, timeoutMs = 20_000): RpcChannel => {
  const channel = createRpcChannel({ baseUrl, timeoutMs });
  cleanup.push(channel.close);
  return channel;
};

const fail = (): never => {
  throw new CodedError('INTERNAL_ERROR');
};

/** A card service of which only GetCard does something. */
const getCardService = (getCard: Methods<typeof CardService>['getCard']) => implementPart(testContract(CardService), { getCard });

/** Accepts connections and destroys each on its first bytes. */
const startBreaker = async () => {
  let requests = 0;
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
};

/** Codes that the protocol raises: faults of the calling process, which its own callers cannot handle. */
const OF_PROTOCOL = new Set([
  'RPC_NOT_FOUND',
  'INVALID_DEADLINE',
  'HTTP_VERSION_NOT_SUPPORTED',
  'MALFORMED_BODY',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_CONTENT_ENCODING',
]);

describe('errors over the wire', () => {
  it.each<[string, { own: boolean; authorization?: string }, string]>([
    ['CARD_NOT_FOUND', { own: true }, 'CARD_NOT_FOUND'],
    ['SERVICE_UNAVAILABLE', { own: true }, 'SERVICE_UNAVAILABLE'],
    ['UPSTREAM_TIMEOUT', { own: true }, 'UPSTREAM_TIMEOUT'],
    ['CARD_STATE_CONFLICT', { own: true }, 'INTERNAL_ERROR'],
    ['FORBIDDEN', { own: true }, 'INTERNAL_ERROR'],
    ['UNAUTHORIZED', { own: true }, 'INTERNAL_ERROR'],
    ['UNAUTHORIZED', { own: true, authorization: 'Bearer a.b.c' }, 'UNAUTHORIZED'],
    ['FORBIDDEN', { own: false }, 'FORBIDDEN'],
  ])(
    'are those that the contract lists as its own, if the channel knows no others: %s, %j',
    async (code, { own, authorization }, expected) => {
      const contract = testContract(CardService, { getCard: { access: 'public', errors: ['CARD_NOT_FOUND'] } });
      const { url } = await serve(
        implementPart(contract, {
          getCard: publicMethod(({ cardId }) => {
            throw new CodedError(cardId as ErrorCode);
          }),
        }),
      );
      const channel = createRpcChannel({ baseUrl: url, ownErrorsOnly: own });
      cleanup.push(channel.close);
      const answer = channel.client(contract).getCard({ cardId: code }, authorization === undefined ? {} : { headers: { authorization } });
      await expect(answer).rejects.toMatchObject({ code: expected });
    },
  );

  it('keep code and metadata', async () => {
    const server = await serve(
      getCardService(
        publicMethod(({ cardId }) => {
          throw new CodedError(cardId as ErrorCode, { message: 'details', metadata: { fact: cardId }, cause: new Error('secret') });
        }),
      ),
    );
    const client = channelTo(server.url).client(CardService);
    for (const code of Object.keys(ERRORS).filter((name) => !OF_PROTOCOL.has(name))) {
      const error = await client.getCard({ cardId: code }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CodedError);
      expect(error).toMatchObject({ code, metadata: { fact: code } });
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });

  it('become INTERNAL_ERROR when no method received the call', async () => {
    const server = await serve(
      getCardService(
        publicMethod(({ cardId }) => {
          throw new CodedError(cardId as ErrorCode);
        }),
      ),
    );
    const client = channelTo(server.url).client(CardService);
    for (const code of OF_PROTOCOL) await expect(client.getCard({ cardId: code })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('become SERVICE_UNAVAILABLE when the service cannot be reached', async () => {
    const client = channelTo('http://127.0.0.1:1').client(CardService);
    await expect(client.getCard({ cardId: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('become UPSTREAM_TIMEOUT when the deadline passes', async () => {
    const server = await serve(getCardService(publicMethod(() => new Promise<never>(() => undefined))));
    const client = channelTo(server.url, 100).client(CardService);
    await expect(client.getCard({ cardId: 'x' })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    const patient = channelTo(server.url).client(CardService);
    await expect(patient.getCard({ cardId: 'x' }, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  it('become INTERNAL_ERROR when the peer is not a service', async () => {
    const other = createHttp((_request, response) => response.writeHead(404).end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => other.close());
    const client = channelTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}`).client(CardService);
    await expect(client.getCard({ cardId: 'x' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'INTERNAL_ERROR' });
  });
});

describe('an idempotent call', () => {
  it('survives a restart of the service', async () => {
    let calls = 0;
    const service = getCardService(
      publicMethod(({ cardId }) => {
        calls += 1;
        return { card: { id: cardId } };
      }),
    );
    const before = await serve(service, await testPort());
    const client = channelTo(before.url).client(CardService);
    await client.getCard({ cardId: 'x' });
    await before.close(0);
    const call = client.getCard({ cardId: 'y' });
    await sleep(20);
    await serve(service, before.port);
    expect((await call).card?.id).toBe('y');
    expect(calls).toBe(2);
  });

  it('fails after three attempts on connections that break', async () => {
    const breaker = await startBreaker();
    const client = channelTo(breaker.url).client(CardService);
    await expect(client.getCard({ cardId: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(breaker.requests()).toBe(3);
  });

  it('is not retried after a response, not even SERVICE_UNAVAILABLE', async () => {
    let calls = 0;
    const reject = (): never => {
      calls += 1;
      throw new CodedError('SERVICE_UNAVAILABLE');
    };
    const client = channelTo((await serve(getCardService(publicMethod(reject)))).url).client(CardService);
    await expect(client.getCard({ cardId: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toBe(1);
  });

  it('is not retried past its deadline', async () => {
    const client = channelTo('http://127.0.0.1:1').client(CardService);
    const error = await client.getCard({ cardId: 'x' }, { timeoutMs: 20 }).catch((thrown: unknown) => thrown);
    expect(['UPSTREAM_TIMEOUT', 'SERVICE_UNAVAILABLE']).toContain((error as CodedError).code);
  });
});

describe('a call that is not idempotent', () => {
  it('is attempted once', async () => {
    const breaker = await startBreaker();
    const client = channelTo(breaker.url).client(VerificationService);
    await expect(client.sendEmailCode({ email: 'a@b.example' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(breaker.requests()).toBe(1);
  });
});

describe('channel', () => {
  it('forwards the user token and the request id', async () => {
    const seen: string[] = [];
    const server = await serve(
      getCardService(
        publicMethod((_request, { requestId }) => {
          seen.push(requestId);
          return {};
        }),
      ),
    );
    const client = channelTo(server.url).client(CardService);
    await client.getCard({}, onBehalfOf({ token: 'a.b.c', requestId: 'r-1' }));
    await client.getCard({}, withinRequest({ requestId: 'r-2' }));
    await client.getCard({}, withinRequest({ requestId: 'not a safe id' }));
    expect(seen.slice(0, 2)).toEqual(['r-1', 'r-2']);
    expect(seen[2]).toMatch(/^[0-9a-f-]{36}$/);
    expect(onBehalfOf({ token: 'a.b.c', requestId: 'r' }).headers).toMatchObject({ authorization: 'Bearer a.b.c' });
  });

  it('opens a stream however many others are open', async () => {
    const server = await serve(getCardService(publicMethod(fail)));
    const channel = createRpcChannel({ baseUrl: server.url });
    const open = () => channel.client(Health).watch({}, { timeoutMs: 60_000 })[Symbol.asyncIterator]().next();
    expect(await Promise.all(Array.from({ length: 100 }, open))).toHaveLength(100);
    await channel.close();
  });

  it('ends a stream that its reader leaves', async () => {
    const ended = Promise.withResolvers<void>();
    const server = createHttp((_request, response) => {
      response.on('close', ended.resolve);
      // One message of two bytes, and no end.
      response.writeHead(200, { 'content-type': 'application/connect+proto' }).write(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { client } = channelTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for await (const _message of client(Health).watch({}, { timeoutMs: 60_000 })) break;
    await ended.promise;
  });

  it('fails its open streams when it closes', async () => {
    const server = await serve(getCardService(publicMethod(fail)));
    const channel = createRpcChannel({ baseUrl: server.url });
    const stream = channel.client(Health).watch({}, { timeoutMs: 60_000 })[Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next().catch((error: unknown) => error);
    await channel.close();
    expect(await next).toBeInstanceOf(CodedError);
  });
});
