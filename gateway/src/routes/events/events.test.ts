import { openRedis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { openEventStream, quietLogger } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { happened } from '../../testing/fake-events.ts';
import { OTHER_ID, time, USER_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

/** A page of one event. */
const page = (sequence: number, hasMore: boolean) => ({
  events: [{ ...happened, sequence: BigInt(sequence) }],
  cursor: `florin:${sequence}`,
  hasMore,
  checkpoint: { timestamp: time, sequence: BigInt(sequence), previousSequence: BigInt(sequence) },
});

const read = (target: string, token = gateway.partnerToken) => gateway.ask(`GET ${target}`, { token });

describe('events', () => {
  it('are returned to a server of the partner, in the form of the contract', async () => {
    expect(await read('/events?after=acme:3&types=payment.*,card.issued&limit=7')).toMatchObject({
      status: 200,
      body: {
        data: [
          {
            type: 'payment.cleared',
            timestamp: '2026-01-31T12:00:00.123Z',
            sequence: 5,
            previousSequence: 3,
            subjectSequence: 2,
            data: { status: 'settled' },
          },
        ],
        cursor: 'acme:7',
        hasMore: false,
        checkpoint: { sequence: 7, previousSequence: 5 },
      },
    });
    expect(gateway.callOf('listEvents')).toMatchObject({
      token: gateway.partnerToken,
      request: { partnerId: '', after: 'acme:3', types: ['payment.*', 'card.issued'], limit: 7 },
    });
  });

  it.each([
    ['CURSOR_INVALID', 400],
    ['EVENT_TYPE_UNKNOWN', 400],
    ['CURSOR_AHEAD', 409],
    ['EVENTS_ARCHIVED', 410],
    ['FORBIDDEN', 403],
    ['SERVICE_UNAVAILABLE', 503],
  ] as const)('respond to %s with %d, also before a stream begins', async (code, status) => {
    gateway.refuse('listEvents', code);
    gateway.refuse('watchEvents', code);
    for (const path of ['/events', '/events/stream']) {
      expect(await read(path)).toMatchObject({ status, body: { success: false, error: code } });
    }
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'types=', 'types=Card', 'types=a,,b', 'types=,', `after=${'x'.repeat(65)}`])(
    'reject %s',
    async (query) => {
      expect(await read(`/events?${query}`)).toMatchObject({ status: 422, body: { kind: 'validation' } });
      expect(gateway.fakes.calls).toEqual([]);
    },
  );

  it('of a type that no feed of a partner has are not waited for', async () => {
    const answer = await read('/events/stream?types=card.*,payment.clered');
    const message = 'types.1: is not in the catalogue of events, did you mean payment.cleared?';
    expect(answer).toMatchObject({ status: 422, body: { error: { message } } });
  });

  it('are not for people, for clients of the platform, nor for tokens of another service', async () => {
    const { authority } = gateway;
    const tokens = [
      [gateway.userToken, 403],
      [await authority.serviceToken('acme-server', 'ledger', [LEDGER_SCOPES.readEntries]), 401],
      [await authority.serviceToken('gateway', 'events', []), 403],
    ] as const;
    for (const [token, status] of tokens) expect(await read('/events', token)).toMatchObject({ status });
    expect(gateway.fakes.calls).toEqual([]);
    expect(await read('/user', gateway.partnerToken)).toMatchObject({ status: 403, body: { error: 'WRONG_TOKEN_KIND' } });
  });

  it('are streamed from the last event that the client has read', async () => {
    const stream = await openEventStream(`${gateway.app.url}/events/stream?after=acme:1&types=payment.*`, gateway.partnerToken, 'acme:3');
    await stream.until('the checkpoint', ({ event }) => event === 'checkpoint');
    await stream.close();
    expect(stream.events.map(({ id, event }) => [id, event])).toEqual([
      ['acme:5', 'payment.cleared'],
      ['acme:7', 'checkpoint'],
    ]);
    expect(gateway.callOf('watchEvents')?.request).toMatchObject({ after: 'acme:3', types: ['payment.*'] });
  });

  it('of a user are returned to the user, by the user’s own token', async () => {
    expect(await read('/user/events?after=florin:3&types=payment.*&limit=7', gateway.userToken)).toMatchObject({
      status: 200,
      body: { data: [{ type: 'payment.cleared', sequence: 5 }], hasMore: false, checkpoint: { sequence: 7, previousSequence: 5 } },
    });
    expect(gateway.callOf('listUserEvents')).toMatchObject({
      token: gateway.userToken,
      request: { after: 'florin:3', types: ['payment.*'], limit: 7 },
    });
    for (const path of ['/user/events', '/user/events/stream']) {
      expect(await read(path, gateway.partnerToken)).toMatchObject({ status: 403, body: { error: 'WRONG_TOKEN_KIND' } });
      expect(await read(path, gateway.walletToken)).toMatchObject({ status: 403, body: { error: 'USER_NOT_REGISTERED' } });
      gateway.refuse('listUserEvents', 'EVENTS_ARCHIVED');
      expect(await read(path, gateway.userToken)).toMatchObject({ status: 410, body: { error: 'EVENTS_ARCHIVED' } });
      gateway.fakes.reset();
    }
  });

  it('of a user are streamed page by page, then as the user has new ones', async () => {
    const redis = await openRedis(testEngines().redisUrl, quietLogger);
    const pages = [page(1, true), page(2, false), page(3, false)];
    let looks = 0;
    gateway.fakes.stub('listUserEvents', () => pages[looks++] ?? page(4, false));
    const stream = await openEventStream(`${gateway.app.url}/user/events/stream?after=florin:0&types=payment.*`, gateway.userToken);
    try {
      await stream.until('the first checkpoint', ({ event }) => event === 'checkpoint');
      await redis.xAdd(FEED_GROWTH_STREAM, '*', { feed: 'florin', users: `${OTHER_ID},${USER_ID}` });
      await stream.until('the new event', ({ id, event }) => event === 'payment.cleared' && id === 'florin:3');
      const cursors = gateway.fakes.calls.map(({ request }) => (request as { after: string }).after);
      expect(cursors.slice(0, 3)).toEqual(['florin:0', 'florin:1', 'florin:2']);
    } finally {
      await stream.close();
      redis.destroy();
    }
    expect(stream.events.slice(0, 4).map(({ id, event }) => [id, event])).toEqual([
      ['florin:1', 'payment.cleared'],
      ['florin:2', 'payment.cleared'],
      ['florin:2', 'checkpoint'],
      ['florin:3', 'payment.cleared'],
    ]);
  });

  it('are unavailable where no events service is configured', async () => {
    const without = await gateway.another({ EVENTS_URL: undefined });
    try {
      for (const [path, token] of [
        ['/events', gateway.partnerToken],
        ['/user/events', gateway.userToken],
        ['/user/events/stream', gateway.userToken],
      ] as const) {
        const answer = await fetch(`${without.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
        expect(answer.status).toBe(503);
      }
    } finally {
      await without.close();
    }
  });
});
