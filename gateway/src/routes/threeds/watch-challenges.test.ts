import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus } from '@florin/proto/threeds/v1/challenge';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { openEventStream, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHALLENGE_ID, challenge as fakeAnswer, USER_ID, WALLET } from '../../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

const PATH = '/3ds/challenges/events';
const serverTime = timestampFromDate(new Date());

/** Number of events of about 30 kB that the service would send to a fast reader. */
const FLOOD = 2000;
const largeChallenge = { ...fakeAnswer, merchant: { displayName: 'x'.repeat(30_000) } };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const open = (lastEventId?: string, token = gateway.userToken) => openEventStream(`${gateway.app.url}${PATH}`, token, lastEventId);
const ready = ({ event }: { event: string }) => event === 'ready';

/** Stubs a stream that sends ready and waits until its caller disconnects. @returns the number of waiting streams */
const stubWaiting = () => {
  let waiting = 0;
  gateway.fakes.stub('watchChallenges', async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
    waiting += 1;
    try {
      yield { eventId: '7-1', serverTime, snapshot: true };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      waiting -= 1;
    }
  });
  return () => waiting;
};

describe('GET /3ds/challenges/events', () => {
  it('sends events that proxies neither cache nor buffer', async () => {
    const stream = await open();
    await waitFor('the end of the stream', async () => (stream.ended() ? true : undefined));
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(stream.text()).toMatch(/^retry: 1000\n\nid: 0-0\nevent: challenge\ndata: \{/);
    expect(stream.events).toMatchObject([
      { id: '0-0', event: 'challenge', data: { serverTime: expect.any(String), challenge: { id: CHALLENGE_ID, status: 'pending' } } },
      { id: '7-1', event: 'ready', data: { snapshot: true } },
      { id: '7-2', event: 'challenge', data: { challenge: { id: CHALLENGE_ID, status: 'cancelled', decisionAvailable: false } } },
    ]);
  });

  it('resumes after Last-Event-ID with the caller’s token', async () => {
    await (await open('7-2')).close();
    const call = gateway.fakes.calls.find(({ rpc }) => rpc === 'watchChallenges');
    expect(call).toMatchObject({ request: { lastEventId: '7-2' }, caller: { userId: USER_ID } });
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
    ['STREAM_LIMIT_REACHED', 429],
    ['INTERNAL_ERROR', 500],
  ] as [ErrorCode, number][])('returns %s before the first event like any other route', async (code, status) => {
    gateway.fakes.stub('watchChallenges', () => {
      throw new CodedError(code);
    });
    expect(await gateway.ask(`GET ${PATH}`, { token: gateway.userToken })).toMatchObject({ status, body: { success: false, error: code } });
  });

  it('ends when the service’s stream fails', async () => {
    gateway.fakes.stub('watchChallenges', async function* () {
      yield { eventId: '7-1', serverTime, snapshot: true };
      await pause(20);
      throw new CodedError('SERVICE_UNAVAILABLE');
    });
    const stream = await open();
    await waitFor('the end of the stream', async () => (stream.ended() ? true : undefined));
    expect(stream.events).toMatchObject([{ event: 'ready' }]);
  });

  it('cancels the service’s stream when the client disconnects', async () => {
    const waiting = stubWaiting();
    const stream = await open();
    await stream.until('ready', ready);
    expect(waiting()).toBe(1);
    await stream.close();
    await waitFor('the release of the stream', async () => (waiting() === 0 ? true : undefined));
  });

  it('responds to HEAD without a stream', async () => {
    const waiting = stubWaiting();
    const answer = await gateway.ask(`HEAD ${PATH}`, { token: gateway.userToken });
    expect(answer).toMatchObject({ status: 200, text: '' });
    await waitFor('the release of the stream', async () => (waiting() === 0 ? true : undefined));
  });

  it('limits the open streams of a user', async () => {
    const waiting = stubWaiting();
    const streams = await Promise.all(Array.from({ length: 10 }, () => open()));
    const refused = await gateway.ask(`GET ${PATH}`, { token: gateway.userToken });
    expect(refused).toMatchObject({ status: 429, body: { success: false, error: 'STREAM_LIMIT_REACHED' } });
    expect(refused.headers.get('retry-after')).toBe('10');
    const other = await gateway.authority.userToken({ wallet: WALLET, userId: '01890a5d-ac96-774b-bcce-b302099a8099' });
    expect((await open(undefined, other)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
    await waitFor('the release of the stream', async () => (waiting() === 1 ? true : undefined));
    const again = await open();
    expect(again.status).toBe(200);
    await again.close();
  });

  it('takes no slot for a client that disconnects before the stream is admitted', async () => {
    stubWaiting();
    const token = await gateway.authority.userToken({ wallet: WALLET, userId: '01890a5d-ac96-774b-bcce-b302099a8098' });
    const { hostname, port } = new URL(gateway.app.url);
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    await pause(200);
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(undefined, token)));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('ends when the token expires', async () => {
    const waiting = stubWaiting();
    const token = await gateway.authority.userToken({ wallet: WALLET, userId: USER_ID }, new Date(Date.now() + 2000));
    const stream = await open(undefined, token);
    await stream.until('ready', ready);
    expect(stream.ended()).toBe(false);
    await waitFor('the end of the stream', async () => (stream.ended() ? true : undefined));
    expect(waiting()).toBeLessThanOrEqual(1);
    expect((await open('7-1', token)).status).toBe(401);
  });

  it('sends comments, and ends when the gateway stops', async () => {
    stubWaiting();
    const app = await gateway.another({}, { heartbeatMs: 20 });
    const stream = await openEventStream(`${app.url}${PATH}`, gateway.userToken);
    await waitFor('a comment', async () => (stream.text().includes('\n\n: heartbeat\n\n') ? true : undefined));
    await app.close();
    await waitFor('the end of the stream', async () => (stream.ended() ? true : undefined));
    expect(stream.events).toHaveLength(1);
  });

  it('disconnects a reader that stops reading, releases its slot, and lets it resume', async () => {
    let [pulled, open] = [0, 0];
    gateway.fakes.stub('watchChallenges', async function* ({ lastEventId }: { lastEventId: string }) {
      open += 1;
      try {
        if (lastEventId === '') for (; pulled < FLOOD; pulled += 1) yield { eventId: `7-${pulled}`, serverTime, challenge: largeChallenge };
        yield { eventId: '8-0', serverTime, snapshot: false };
      } finally {
        open -= 1;
      }
    });
    const app = await gateway.another({ VALIDATE_ANSWERS: 'false' }, { heartbeatMs: 50 });
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.userToken}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    expect(head.toString()).toContain('200 OK');
    await waitFor('the release of the stream', async () => (pulled > 0 && open === 0 ? true : undefined));
    // The socket buffers hold a few megabytes; the rest was never read from the service.
    expect(pulled).toBeLessThan(FLOOD / 2);
    socket.destroy();
    const resumed = await openEventStream(`${app.url}${PATH}`, gateway.userToken, '7-0');
    await resumed.until('ready', ready);
    expect(resumed.events).toMatchObject([{ id: '8-0', event: 'ready' }]);
    await resumed.close();
    await app.close();
  });

  it('takes precedence over a challenge id', async () => {
    expect(await gateway.ask(`POST ${PATH}`, { token: gateway.userToken, body: {} })).toMatchObject({ status: 405 });
    expect((await askAt(gateway.app.url, `DELETE ${PATH}`)).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('GET /3ds/challenges', () => {
  it('returns a page', async () => {
    const answer = await gateway.ask('GET /3ds/challenges?status=pending&limit=7&cursor=abc', { token: gateway.userToken });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: [{ id: CHALLENGE_ID, status: 'pending' }, {}], pagination: { nextCursor: 'next', hasNext: true } },
    });
    const call = gateway.fakes.calls.find(({ rpc }) => rpc === 'listChallenges');
    expect(call?.request).toMatchObject({ status: ChallengeStatus.PENDING, page: { limit: 7, cursor: 'abc' } });
  });

  it.each(['status=perhaps', 'limit=0', 'limit=101', 'limit=x'])('rejects ?%s', async (query) => {
    const answer = await gateway.ask(`GET /3ds/challenges?${query}`, { token: gateway.userToken });
    expect(answer).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });
});
