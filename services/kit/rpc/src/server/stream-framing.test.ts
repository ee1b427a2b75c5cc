import { createClient } from '@connectrpc/connect';
import { compressionGzip, createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStreamWorld } from '../testing/stream-world.ts';
import type { Listener } from './index.ts';

const world = await createStreamWorld();
let server: Listener;
beforeAll(async () => {
  server = await world.start();
});
afterAll(() => server.close(0));

type Ask = { contentType?: string; headers?: Record<string, string>; messages?: object[]; method?: string };

const envelope = (message: object): Buffer => {
  const data = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(data.byteLength, 1);
  return Buffer.concat([head, data]);
};

/** Makes one call in Connect's JSON format, as bytes. The last message of the response is its end. */
const ask = async ({ contentType = 'application/connect+json', headers = {}, messages = [{}], method = 'POST' }: Ask) => {
  const response = await fetch(`${server.url}/florin.threeds.v1.ChallengeService/WatchChallenge`, {
    method,
    headers: { 'content-type': contentType, ...(await world.asOffice()), ...headers },
    ...(method === 'POST' ? { body: Buffer.concat(messages.map(envelope)) } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const read: { flags: number | undefined; message: { error?: { code: string } } }[] = [];
  for (let at = 0; at < bytes.byteLength; at += 5 + bytes.readUInt32BE(at + 1)) {
    const message = bytes.subarray(at + 5, at + 5 + bytes.readUInt32BE(at + 1)).toString();
    read.push({ flags: bytes[at], message: JSON.parse(message) });
  }
  return { status: response.status, type: response.headers.get('content-type'), requestId: response.headers.get('x-request-id'), read };
};

describe('framing of a stream', () => {
  it('follows the Connect protocol', async () => {
    const { status, type, requestId, read } = await ask({ messages: [{ challengeId: 'short' }], headers: { 'x-request-id': 'r-7' } });
    expect({ status, type, requestId }).toEqual({ status: 200, type: 'application/connect+json', requestId: 'r-7' });
    expect(read).toEqual([
      { flags: 0, message: { challenge: { id: '1', cardId: 'office' } } },
      { flags: 0, message: { challenge: { id: '2' } } },
      { flags: 2, message: {} },
    ]);
  });

  it.each([
    ['no message', { messages: [] }, 'invalid_argument'],
    ['two messages', { messages: [{}, {}] }, 'invalid_argument'],
    ['a message of another shape', { messages: [{ challengeId: 7 }] }, 'invalid_argument'],
    ['a message that is too large', { messages: [{ challengeId: 'x'.repeat(1024 * 1024) }] }, 'resource_exhausted'],
    ['an unknown compression', { headers: { 'connect-content-encoding': 'br' } }, 'unimplemented'],
    ['an invalid deadline', { headers: { 'connect-timeout-ms': 'soon' } }, 'invalid_argument'],
    ['a deadline above the maximum', { headers: { 'connect-timeout-ms': '60001' } }, 'invalid_argument'],
    ['a deadline that passes', { headers: { 'connect-timeout-ms': '20' }, messages: [{ challengeId: 'deaf' }] }, 'deadline_exceeded'],
  ] as const)('rejects %s', async (_what, request, code) => {
    const { status, read } = await ask(request as Ask);
    expect(status).toBe(200);
    expect(read.at(-1)).toMatchObject({ flags: 2, message: { error: { code } } });
  });

  it('rejects other methods and content types', async () => {
    expect(await ask({ method: 'GET' })).toMatchObject({ status: 405 });
    for (const contentType of ['application/json', 'application/grpc-web-text', 'text/plain', 'application/proto']) {
      expect(await ask({ contentType })).toMatchObject({ status: 415 });
    }
  });

  it.each([
    ['gRPC', createGrpcTransport],
    ['gRPC-Web', createGrpcWebTransport],
    ['Connect', createConnectTransport],
  ] as const)('accepts compressed requests: %s', async (_name, createTransport) => {
    const settings = { baseUrl: server.url, httpVersion: '2', sendCompression: compressionGzip, compressMinBytes: 0 } as const;
    const client = createClient(ChallengeService, createTransport(settings));
    const ids: string[] = [];
    for await (const { challenge } of client.watchChallenge({ challengeId: 'short' }, { headers: await world.asOffice() }))
      ids.push(challenge?.id ?? '');
    expect(ids).toEqual(['1', '2']);
  });
});
