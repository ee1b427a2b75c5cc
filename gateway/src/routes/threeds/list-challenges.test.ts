import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus } from '@florin/proto/threeds/v1/challenge';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID, CHALLENGE_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

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

  it('filters by the card and the period', async () => {
    const query = `cardId=${CARD_ID}&from=2026-01-01&to=2026-01-31`;
    expect(await gateway.ask(`GET /3ds/challenges?${query}`, { token: gateway.userToken })).toMatchObject({ status: 200 });
    expect(gateway.callOf('listChallenges')?.request).toMatchObject({
      cardId: CARD_ID,
      createdFrom: timestampFromDate(new Date('2026-01-01T00:00:00Z')),
      createdBefore: timestampFromDate(new Date('2026-02-01T00:00:00Z')),
    });
  });

  it.each(['cardId=x', 'from=2026-01-02&to=2026-01-01', 'status=perhaps', 'limit=0', 'limit=101', 'limit=x'])(
    'rejects ?%s',
    async (query) => {
      const answer = await gateway.ask(`GET /3ds/challenges?${query}`, { token: gateway.userToken });
      expect(answer).toMatchObject({ status: 422, body: { kind: 'validation' } });
    },
  );
});
