import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deposit, USER_ID, withdrawal } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const ask = (target: string) => gateway.ask(`GET ${target}`, { token: gateway.userToken });
const at = (time: string) => timestampFromDate(new Date(time));

const FILTERS = 'token=EURe&currency=EUR&from=2026-01-01&to=2026-01-31&limit=7';
const FILTERED = { token: 'EURe', currency: 'EUR', from: at('2026-01-01T00:00:00Z'), to: at('2026-02-01T00:00:00Z'), page: { limit: 7 } };

describe('lists of deposits and withdrawals', () => {
  it.each([
    ['deposits', 'pending', [DepositStatus.PENDING]],
    ['deposits', 'rejected', [DepositStatus.REJECTED, DepositStatus.REVERSED]],
    ['withdrawals', 'processing', [WithdrawalStatus.PROCESSING]],
  ])('of %s are filtered by status %s, token, currency and period, to users and to partners', async (list, status, statuses) => {
    const rpc = list === 'deposits' ? 'listDeposits' : 'listWithdrawals';
    expect(await ask(`/user/${list}?status=${status}&${FILTERS}`)).toMatchObject({ status: 200 });
    expect(gateway.callOf(rpc)?.request).toMatchObject({ ...FILTERED, statuses, userId: '' });
    gateway.fakes.reset();
    await gateway.ask(`GET /partner/users/${USER_ID}/${list}?status=${status}&${FILTERS}`, { token: gateway.partnerToken });
    expect(gateway.callOf(rpc)?.request).toMatchObject({ ...FILTERED, statuses, userId: USER_ID });
  });

  it.each([
    ['deposits?status=completed', 'status:'],
    ['withdrawals?status=approved', 'status:'],
    ['deposits?stauts=pending', 'stauts: is unknown, did you mean status?'],
    ['withdrawals?currency=EURO', 'currency: must be an active ISO 4217 code'],
    ['deposits?from=2026-01-02&to=2026-01-01', 'from: must not be later than to'],
  ])('are not filtered by %s', async (list, message) => {
    expect(await ask(`/user/${list}`)).toMatchObject({ status: 422, body: { error: { message: expect.stringContaining(message) } } });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it.each([
    [
      { status: DepositStatus.APPROVED, resolvedAt: at('2026-02-01T00:00:00Z') },
      { status: 'approved', resolvedAt: '2026-02-01T00:00:00.000Z' },
    ],
    [{ status: DepositStatus.REJECTED }, { status: 'rejected', reason: 'SCREENING_REJECTED' }],
    [
      { status: DepositStatus.REJECTED, kytBreakdown: undefined },
      { status: 'rejected', reason: 'OPERATOR_REJECTED' },
    ],
    [
      { status: DepositStatus.REVERSED, reversedAt: at('2026-02-02T00:00:00Z') },
      { status: 'rejected', reason: 'DEPOSIT_REVERSED', reversedAt: '2026-02-02T00:00:00.000Z' },
    ],
  ])('tell when and why a deposit ended: %#', async (stored, shown) => {
    gateway.fakes.stub('listDeposits', () => ({ deposits: [{ ...deposit, ...stored }] }));
    const { data } = (await ask('/user/deposits')).body as { data: object[] };
    expect(data).toMatchObject([shown]);
    if (!('reason' in shown)) expect(data[0]).not.toHaveProperty('reason');
  });

  it('tell when a withdrawal was sent and ended, and why it has failed', async () => {
    const failed = { status: WithdrawalStatus.FAILED, reason: 'TOKEN_BLOCKED', endedAt: at('2026-02-02T00:00:00Z') };
    gateway.fakes.stub('listWithdrawals', () => ({
      withdrawals: [{ ...withdrawal, ...failed, processingAt: at('2026-02-01T00:00:00Z') }, withdrawal],
    }));
    const { data } = (await ask('/user/withdrawals')).body as { data: object[] };
    expect(data[0]).toMatchObject({
      reason: 'TOKEN_BLOCKED',
      processingAt: '2026-02-01T00:00:00.000Z',
      endedAt: '2026-02-02T00:00:00.000Z',
    });
    for (const absent of ['reason', 'processingAt', 'endedAt']) expect(data[1]).not.toHaveProperty(absent);
  });
});
