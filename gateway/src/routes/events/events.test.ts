import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { openEventStream } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

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

  it.each(['limit=0', 'limit=501', 'limit=x', 'types=', 'types=Card', `after=${'x'.repeat(65)}`])('reject %s', async (query) => {
    expect(await read(`/events?${query}`)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('are not for people, for clients of the platform, nor for tokens of another service', async () => {
    const { authority } = gateway;
    const tokens = [
      [gateway.userToken, 401],
      [await authority.serviceToken('acme-server', 'ledger', [LEDGER_SCOPES.readEntries]), 401],
      [await authority.serviceToken('gateway', 'events', []), 403],
    ] as const;
    for (const [token, status] of tokens) expect(await read('/events', token)).toMatchObject({ status });
    expect(gateway.fakes.calls).toEqual([]);
    expect(await read('/user', gateway.partnerToken)).toMatchObject({ status: 401 });
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

  it('are unavailable where no events service is configured', async () => {
    const without = await gateway.another({ EVENTS_URL: undefined });
    try {
      const answer = await fetch(`${without.url}/events`, { headers: { authorization: `Bearer ${gateway.partnerToken}` } });
      expect(answer.status).toBe(503);
    } finally {
      await without.close();
    }
  });
});
