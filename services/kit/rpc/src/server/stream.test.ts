import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcChannel, onBehalfOf } from '../client/index.ts';
import { waitFor } from '../testing/index.ts';
import { createStreamWorld, FLOOD } from '../testing/stream-world.ts';
import { testContract } from '../testing/test-contract.ts';
import { implement, type Listener, publicMethod } from './index.ts';

const USER = { wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId: '01890a5d-ac96-774b-bcce-b302099a8057' };

const { authority, lines, counts, start, asOffice, asOther } = await createStreamWorld();

let server: Listener;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close(0));

const lineOf = (requestId: string) => waitFor('the log line', async () => lines.find((line) => line.requestId === requestId));

const transports = () =>
  [
    ['gRPC', createGrpcTransport({ baseUrl: server.url })],
    ['gRPC-Web over HTTP/1.1', createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['gRPC-Web over HTTP/2', createGrpcWebTransport({ baseUrl: server.url, httpVersion: '2' })],
    ['Connect over HTTP/1.1', createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['Connect over HTTP/2', createConnectTransport({ baseUrl: server.url, httpVersion: '2' })],
  ] as const;

describe.each(['gRPC', 'gRPC-Web over HTTP/1.1', 'gRPC-Web over HTTP/2', 'Connect over HTTP/1.1', 'Connect over HTTP/2'])('%s', (name) => {
  const client = () => createClient(ChallengeService, new Map(transports()).get(name as 'gRPC') ?? expect.fail());
  const read = async (challengeId: string, headers: Record<string, string>) => {
    const ids: string[] = [];
    const error: unknown = await (async () => {
      for await (const { challenge } of client().watchChallenge({ challengeId }, { headers })) ids.push(challenge?.id ?? '');
    })().catch((thrown: unknown) => thrown);
    return { ids, error: error === undefined ? undefined : String(error) };
  };

  it('delivers every message and ends', async () => {
    const requestId = `ends-${name.replaceAll(/[^\w]/g, '-')}`;
    expect(await read('short', { ...(await asOffice()), 'x-request-id': requestId })).toEqual({ ids: ['1', '2'], error: undefined });
    expect(await lineOf(requestId)).toMatchObject({ level: 'info', message: 'rpc', messages: 2 });
    expect(lines.filter((line) => line.requestId === requestId)).toHaveLength(1);
  });

  it('rejects an unauthorized call before the first message', async () => {
    const before = counts.opened;
    expect(await read('short', {})).toMatchObject({ ids: [], error: expect.stringContaining('unauthenticated') });
    expect(await read('short', await asOther())).toMatchObject({ ids: [], error: expect.stringContaining('permission_denied') });
    expect(counts.opened).toBe(before);
    expect(await read('missing', await asOffice())).toMatchObject({ ids: [], error: expect.stringContaining('not_found') });
  });

  it('maps errors in mid-stream by the same table, without the text of faults', async () => {
    expect(await read('coded', await asOffice())).toMatchObject({ ids: ['1', '2'], error: expect.stringContaining('resource_exhausted') });
    const fault = await read('fault', await asOffice());
    expect(fault).toMatchObject({ ids: ['1', '2'], error: expect.stringContaining('internal') });
    expect(fault.error).not.toContain('secret');
  });

  it('releases the source when the caller cancels', async () => {
    const requestId = `canceled-${name.replaceAll(/[^\w]/g, '-')}`;
    const before = counts.released;
    const controller = new AbortController();
    const options = { headers: { ...(await asOffice()), 'x-request-id': requestId }, signal: controller.signal };
    const reading = (async () => {
      for await (const { challenge } of client().watchChallenge({ challengeId: 'waiting' }, options))
        if (challenge?.id === '2') controller.abort();
    })();
    await expect(reading).rejects.toThrow('canceled');
    await waitFor('the release', async () => (counts.released > before ? true : undefined));
    expect(await lineOf(requestId)).toMatchObject({ level: 'info', messages: 2, aborted: true });
  });
});

describe('streams', () => {
  it('reject with coded errors in the channel’s client, and have no default deadline', async () => {
    const channel = createRpcChannel({ baseUrl: server.url, timeoutMs: 100 });
    const client = channel.client(ChallengeService);
    const headers = await asOffice();
    const stream = client.watchChallenge({ challengeId: 'coded' }, { headers })[Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({ code: 'RATE_LIMITED', metadata: { retryAfterSeconds: '7' } });

    const controller = new AbortController();
    const waiting = client.watchChallenge({ challengeId: 'waiting' }, { headers, signal: controller.signal })[Symbol.asyncIterator]();
    await waiting.next();
    await waiting.next();
    const third = waiting.next().then(
      () => 'ended',
      () => 'failed',
    );
    expect(await Promise.race([third, pause(400, 'still open')])).toBe('still open');
    controller.abort();
    expect(await third).toBe('failed');
    await channel.close();
  });

  it('leave connections for unary calls', async () => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const client = channel.client(ChallengeService);
    const headers = await asOffice();
    const controller = new AbortController();
    const streams = Array.from({ length: 60 }, () =>
      client.watchChallenge({ challengeId: 'waiting' }, { headers, signal: controller.signal })[Symbol.asyncIterator](),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const token = await authority.userToken(USER);
    await expect(client.getChallenge({}, onBehalfOf({ token, requestId: 'r' }))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    controller.abort();
    await channel.close();
  });

  it.each(['waiting', 'deaf'])('end with SERVICE_UNAVAILABLE when the server closes: %s', async (challengeId) => {
    const closing = await start();
    const channel = createRpcChannel({ baseUrl: closing.url });
    const stream = channel
      .client(ChallengeService)
      .watchChallenge({ challengeId }, { headers: await asOffice() })
      [Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    const third = expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await closing.close();
    await third;
    await channel.close();
  });
});

describe('a reader that stops reading', () => {
  it.each([
    ['over HTTP/1.1', '1.1'],
    ['over HTTP/2', '2'],
  ] as const)('stops the source, which is released when the reader cancels: %s', async (_name, httpVersion) => {
    const client = createClient(ChallengeService, createGrpcWebTransport({ baseUrl: server.url, httpVersion }));
    const controller = new AbortController();
    const before = { ...counts };
    const options = { headers: await asOffice(), signal: controller.signal };
    const stream = client.watchChallenge({ challengeId: 'flood' }, options)[Symbol.asyncIterator]();
    await stream.next();
    await waitFor('the source to stop', async () => {
      const seen = counts.pulled;
      await pause(250);
      return seen === counts.pulled ? true : undefined;
    });
    // The sockets of both sides hold a few megabytes, far less than the gigabyte that the source could produce.
    expect(counts.pulled - before.pulled).toBeLessThan(FLOOD / 2);
    controller.abort();
    await expect(
      stream.next().then(async () => {
        for (;;) if ((await stream.next()).done === true) throw new Error('ended');
      }),
    ).rejects.toThrow();
    await waitFor('the release', async () => (counts.released > before.released ? true : undefined));
  });
});

describe('implement', () => {
  it('rejects a unary method for a streaming RPC', () => {
    const unary = publicMethod(() => ({}));
    const all = Object.fromEntries(ChallengeService.methods.map(({ localName }) => [localName, unary]));
    expect(() => implement(testContract(ChallengeService), all as never)).toThrow('WatchChallenge is server_streaming');
  });
});
