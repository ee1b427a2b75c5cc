import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID, OTHER_ID, USER_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const READS: readonly (readonly [string, string, string, object])[] = [
  ['', 'getUser', 'users.read', {}],
  ['/cards?status=active&limit=2', 'listCards', 'payments.read', { page: { limit: 2 } }],
  [`/transactions?cardId=${CARD_ID}&mcc=5812`, 'listPayments', 'payments.read', { cardId: CARD_ID, categoryCode: '5812' }],
  [`/transactions/${CARD_ID}`, 'getPayment', 'payments.read', { paymentId: CARD_ID }],
  ['/balances', 'getBalances', 'movements.read', {}],
  ['/deposits?limit=3', 'listDeposits', 'movements.read', { page: { limit: 3 } }],
  ['/withdrawals', 'listWithdrawals', 'movements.read', {}],
];

describe('what a partner reads of its users', () => {
  it.each(READS)('GET /partner/users/{userId}%s comes from %s, asked with the partner’s own token', async (path, rpc, _scope, request) => {
    const answer = await gateway.ask(`GET /partner/users/${USER_ID}${path}`, { token: gateway.partnerToken });
    expect(answer.status).toBe(200);
    expect(gateway.callOf(rpc)).toMatchObject({ token: gateway.partnerToken, request: { userId: USER_ID, ...request } });
  });

  it.each(READS)('GET /partner/users/{userId}%s does not find users of others, and needs its scope', async (path, rpc, scope) => {
    const other = await gateway.ask(`GET /partner/users/${OTHER_ID}${path}`, { token: gateway.partnerToken });
    expect(other).toMatchObject({ status: 404, body: { error: 'USER_NOT_FOUND' } });
    expect(gateway.callOf(rpc)).toBeUndefined();
    const narrow = await gateway.authority.serviceToken('acme-server', 'events', ['events.read', 'keys.manage']);
    expect(await gateway.ask(`GET /partner/users/${USER_ID}${path}`, { token: narrow })).toMatchObject({ status: 403 });
    const enough = await gateway.authority.serviceToken('acme-server', 'events', [scope]);
    expect(await gateway.ask(`GET /partner/users/${USER_ID}${path}`, { token: enough })).toMatchObject({ status: 200 });
  });

  it('is not for people', async () => {
    const answer = await gateway.asUser(`GET /partner/users/${USER_ID}/cards`);
    expect(answer).toMatchObject({ status: 403, body: { error: 'WRONG_TOKEN_KIND' } });
  });
});
