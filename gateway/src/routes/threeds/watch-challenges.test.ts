import { once } from 'node:events';
import { connect } from 'node:net';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus } from '@florin/proto/threeds/v1/challenge';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { createLogger } from '@florin/rpc/observe';
import { openEventStream, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHALLENGE_ID, challenge as fakeAnswer, USER_ID, WALLET } from '../../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

const PATH = '/3ds/challenges/events';
const serverTime = timestampFromDate(new Date());
const largeChallenge = (id: string) => ({ ...fakeAnswer, id, merchant: { displayName: 'x'.repeat(30_000) } });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const open = (lastEventId?: string, token = gateway.userToken) => openEventStream(`${gateway.app.url}${PATH}`, token, lastEventId);
const ready = ({ event }: { event: string }) => event === 'ready';
const ended = (stream: Awaited<ReturnType<typeof open>>) => waitFor('the end', async () => (stream.ended() ? true : undefined));

describe('GET /3ds/challenges/events', () => {
  it('sends events that proxies neither cache nor buffer, each with an id of its own', async () => {
    const stream = await open();
    await stream.until('ready', ready);
    gateway.fakes.feed.send({ eventId: '7-2', challenge: { ...fakeAnswer, status: ChallengeStatus.CANCELLED }, userId: USER_ID });
    await stream.until('the change', ({ id }) => id === '7-2');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(stream.text()).toMatch(/^retry: 1000\n\nid: 7-1\.\d+p\nevent: challenge\ndata: \{/);
    expect(stream.events).toMatchObject([
      { event: 'challenge', data: { serverTime: expect.any(String), challenge: { id: CHALLENGE_ID, status: 'pending' } } },
      { id: expect.stringMatching(/^7-1\.\d+$/), event: 'ready', data: { snapshot: true } },
      { id: '7-2', event: 'challenge', data: { challenge: { id: CHALLENGE_ID, status: 'cancelled' } } },
    ]);
    await stream.close();
  });

  it('sends only the caller’s changes', async () => {
    const stream = await open();
    await stream.until('ready', ready);
    gateway.fakes.feed.send({ eventId: '8-1', challenge: { ...fakeAnswer, id: 'other' }, userId: WALLET });
    gateway.fakes.feed.send({ eventId: '8-2', challenge: { ...fakeAnswer, status: ChallengeStatus.EXPIRED }, userId: USER_ID });
    await stream.until('the change', ({ id }) => id === '8-2');
    expect(stream.events.map(({ event }) => event)).toEqual(['challenge', 'ready', 'challenge']);
    await stream.close();
  });

  it('resumes after Last-Event-ID with the caller’s token', async () => {
    gateway.fakes.stub('listChallengeChanges', () => ({ challenges: [fakeAnswer], eventId: '8-2', snapshot: false, serverTime }));
    const stream = await open('7-2.5');
    await stream.until('ready', ready);
    expect(gateway.callOf('listChallengeChanges')).toMatchObject({ request: { lastEventId: '7-2' }, caller: { userId: USER_ID } });
    // A client that disconnects among the first events resumes at the same position.
    expect(stream.events[0]?.id).toMatch(/^7-2\.\d+$/);
    expect(stream.events[1]).toMatchObject({ event: 'ready', data: { snapshot: false } });
    await stream.close();
  });

  it.each(['garbage', '7-2x', '<script>', '99999999999999-0'])(
    'reports the unknown Last-Event-ID %s by a reset event',
    async (lastEventId) => {
      const stream = await open(lastEventId);
      await stream.until('ready', ready);
      expect(stream.events).toMatchObject([
        { event: 'reset', data: { code: 'LAST_EVENT_ID_UNKNOWN' } },
        { event: 'challenge' },
        { event: 'ready', data: { snapshot: true } },
      ]);
      await stream.close();
    },
  );

  it('starts a snapshot over, without a reset, for a client that read a part of one', async () => {
    const first = await open();
    await first.until('ready', ready);
    const stream = await open(first.events[0]?.id);
    await stream.until('ready', ready);
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc === 'listChallengeChanges').at(-1)?.request).toMatchObject({ lastEventId: '' });
    expect(stream.events.map(({ event }) => event)).toEqual(['challenge', 'ready']);
    await Promise.all([first.close(), stream.close()]);
  });

  it.each([
    ['UNAUTHORIZED', 401, undefined],
    ['UNAUTHORIZED', 401, 'a.b.c'],
    ['USER_NOT_REGISTERED', 403, 'wallet'],
  ] as const)('rejects with %s', async (error, status, token) => {
    const given = token === 'wallet' ? gateway.walletToken : token;
    const answer = await gateway.ask(`GET ${PATH}`, { token: given });
    expect(answer).toMatchObject({ status, body: { success: false, error } });
  });

  it.each([
    ['SERVICE_UNAVAILABLE', 503],
    ['INTERNAL_ERROR', 500],
  ] as [ErrorCode, number][])('returns %s before the first event like any other route', async (code, status) => {
    gateway.fakes.stub('listChallengeChanges', () => {
      throw new CodedError(code);
    });
    expect(await gateway.ask(`GET ${PATH}`, { token: gateway.userToken })).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each([
    ['breaks', new CodedError('SERVICE_UNAVAILABLE'), '9-1', '9-2'],
    ['ends because its token expired', new CodedError('UNAUTHORIZED', { metadata: { tokenProblem: 'expired' } }), '9-3', '9-4'],
  ])('stays open while the service’s stream %s and resumes', async (_what, error, last, next) => {
    const stream = await open();
    await stream.until('ready', ready);
    gateway.fakes.feed.send({ eventId: last });
    const before = gateway.fakes.feed.resumed.length;
    gateway.fakes.feed.cut(error);
    await waitFor('the stream to resume', async () => (gateway.fakes.feed.resumed.length > before ? true : undefined));
    expect(gateway.fakes.feed.resumed.at(-1)).toBe(last);
    gateway.fakes.feed.send({ eventId: next, challenge: { ...fakeAnswer, status: ChallengeStatus.APPROVED }, userId: USER_ID });
    await stream.until('the change', ({ id }) => id === next);
    expect(stream.ended()).toBe(false);
    await stream.close();
  });

  it('reads the challenges again after a gap', async () => {
    const stream = await open();
    await stream.until('ready', ready);
    gateway.fakes.stub('listChallengeChanges', () => ({ challenges: [], eventId: '9-9', snapshot: true, serverTime }));
    gateway.fakes.stub('getChallenge', () => ({ challenge: { ...fakeAnswer, status: ChallengeStatus.DECLINED }, serverTime }));
    gateway.fakes.feed.send({ eventId: '9-9', gap: true });
    await stream.until('the missed change', ({ data }) => JSON.stringify(data).includes('declined'));
    await waitFor('ready', async () => (stream.events.filter(ready).length === 2 ? true : undefined));
    expect(stream.events.map(({ event }) => event)).toEqual(['challenge', 'ready', 'challenge', 'ready']);
    expect(new Set(stream.events.map(({ id }) => id)).size).toBe(4);
    await stream.close();
  });

  it('responds to HEAD without a stream', async () => {
    const answer = await gateway.ask(`HEAD ${PATH}`, { token: gateway.userToken });
    expect(answer).toMatchObject({ status: 200, text: '' });
  });

  it('limits the open streams of a user', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => open()));
    const refused = await gateway.ask(`GET ${PATH}`, { token: gateway.userToken });
    expect(refused).toMatchObject({ status: 429, body: { success: false, error: 'STREAM_LIMIT_REACHED' } });
    expect(refused.headers.get('retry-after')).toBe('10');
    const other = await gateway.authority.userToken({ wallet: WALLET, userId: '01890a5d-ac96-774b-bcce-b302099a8099' });
    const others = await open(undefined, other);
    expect(others.status).toBe(200);
    await Promise.all([others, ...streams].map((stream) => stream.close()));
    const again = await waitFor('a free slot', async () => {
      const stream = await open();
      return stream.status === 200 ? stream : undefined;
    });
    await again.close();
  });

  it('takes no slot for a client that disconnects before the stream is admitted', async () => {
    const token = await gateway.authority.userToken({ wallet: WALLET, userId: '01890a5d-ac96-774b-bcce-b302099a8098' });
    const { hostname, port } = new URL(gateway.app.url);
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    const streams: Awaited<ReturnType<typeof open>>[] = [];
    while (streams.length < 10) {
      const stream = await waitFor('a slot', async () => {
        const one = await open(undefined, token);
        return one.status === 200 ? one : undefined;
      });
      streams.push(stream);
    }
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('ends with an event when the token expires', async () => {
    const token = await gateway.authority.userToken({ wallet: WALLET, userId: USER_ID }, new Date(Date.now() + 5000));
    const stream = await open(undefined, token);
    await stream.until('ready', ready);
    await ended(stream);
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { code: 'TOKEN_ENDED' } });
    expect((await open('7-1', token)).status).toBe(401);
  });

  it('sends comments, and ends with an event when the gateway stops', async () => {
    const app = await gateway.another({}, { heartbeatMs: 20 });
    const stream = await openEventStream(`${app.url}${PATH}`, gateway.userToken);
    await waitFor('a comment', async () => (stream.text().includes('\n\n: heartbeat\n\n') ? true : undefined));
    await app.close();
    await ended(stream);
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { code: 'STOPPING' } });
    expect(new Set(stream.events.map(({ id }) => id)).size).toBe(stream.events.length);
  });

  it('disconnects a reader that stops reading, and lets it resume', async () => {
    const lines: string[] = [];
    const logger = createLogger('gateway', 'info', { write: (line: string) => void lines.push(line) });
    const app = await gateway.another({ VALIDATE_ANSWERS: 'false' }, { heartbeatMs: 50, logger });
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.userToken}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    expect(head.toString()).toContain('200 OK');
    // Nothing is read until the gateway has logged the end of the stream, so that it depends on no size of a socket's buffers.
    let count = 0;
    await waitFor('the gateway to disconnect the reader', async () => {
      for (const end = count + 20; count < end; count += 1)
        gateway.fakes.feed.send({ eventId: `8-${100 + count}`, challenge: largeChallenge(`c-${count}`), userId: USER_ID });
      return lines.find((line) => line.includes(`"route":"${PATH}"`));
    });
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    const resumed = await openEventStream(`${app.url}${PATH}`, gateway.userToken, '8-100');
    await resumed.until('ready', ready);
    await resumed.close();
    await app.close();
  });

  it('takes precedence over a challenge id', async () => {
    expect(await gateway.ask(`POST ${PATH}`, { token: gateway.userToken, body: {} })).toMatchObject({ status: 405 });
    expect((await askAt(gateway.app.url, `DELETE ${PATH}`)).headers.get('allow')).toBe('GET, HEAD');
  });
});
