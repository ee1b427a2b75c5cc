import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

const EURE = (units: string) => `${units}${'0'.repeat(18)}`;

/** A card payment as the card service posts it: a hold, then a partial capture. */
const payByCard = async (accountId: string, amount: string, taken: string): Promise<string> => {
  const channel = createRpcChannel({
    baseUrl: platform.services.ledger.url,
    serviceToken: createServiceTokenSource({
      key: serviceKeySchema.parse(platform.operatorKey),
      audience: 'ledger',
      scopes: [LEDGER_SCOPES.writeEntries],
    }),
  });
  const entries = channel.client(EntryService);
  const holdId = randomUUID();
  const holdExpiresAt = timestampFromDate(new Date(platform.clock.now().getTime() + 3_600_000));
  const transfers = [{ debit: accountId, credit: 'settlement', token: 'EURe', amount }];
  await entries.createEntries({ entries: [{ entryId: holdId, transfers, holdExpiresAt }] });
  await channel.client(HoldService).postHold({ accountId, holdId, amount: taken });
  await channel.close();
  return holdId;
};

describe('GET /user/statement', () => {
  it('lists deposits, withdrawals and card payments with the balance after each, as JSON and as CSV', async () => {
    const { token } = await registerPerson(platform.api);
    const { sandbox, userAccount, userMovements } = platform.api.as(token);
    const { id: accountId } = await userAccount.getAccount();
    const { txHash } = await sandbox.createDeposit({ token: 'EURe', amount: EURE('100') });
    await sandbox.createDeposit({ token: 'EURe', amount: EURE('50'), kyt: 'reject' });
    await sandbox.createDeposit({ token: 'EURe', amount: EURE('50'), kyt: 'hold' });
    await sandbox.createDeposit({ token: 'USDC.e', amount: '1000001' });
    const payment = await payByCard(accountId, EURE('30'), '12500000000000000001');
    const withdrawal = await sandbox.createWithdrawal({ token: 'EURe', amount: EURE('20') });
    await sandbox.createWithdrawal({ token: 'EURe', amount: EURE('1'), outcome: 'fail' });
    await sandbox.createWithdrawal({ token: 'EURe', amount: EURE('2'), outcome: 'hold' });

    const { data, pagination } = await userMovements.listStatement();
    expect(data.map(({ kind, token: symbol, amount, balanceAfter }) => [kind, symbol, amount, balanceAfter])).toEqual([
      ['withdrawal', 'EURe', `-${EURE('20')}`, '67499999999999999999'],
      ['card_payment', 'EURe', '-12500000000000000001', '87499999999999999999'],
      ['deposit', 'USDC.e', '1000001', '1000001'],
      ['deposit', 'EURe', EURE('100'), EURE('100')],
    ]);
    expect(pagination).toEqual({ nextCursor: null, hasNext: false });
    expect(data.map(({ txHash: hash }) => hash)).toEqual([withdrawal.txHash, undefined, expect.any(String), txHash]);
    expect(data[1]?.reference).toBe(payment);

    const csv = await platform.api.request('GET', '/user/statement', { token, headers: { accept: 'text/csv' } });
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const rows = String(csv.body)
      .split('\r\n')
      .map((row) => row.split(','));
    expect(rows.map((row) => [row[2], row[7], row[8]])).toEqual([
      ['kind', 'amount', 'balanceAfter'],
      ['withdrawal', '-20.00', '67.499999999999999999'],
      ['card_payment', '-12.500000000000000001', '87.499999999999999999'],
      ['deposit', '1.000001', '1.000001'],
      ['deposit', '100.00', '100.00'],
      [undefined, undefined, undefined],
    ]);
    expect(rows.slice(1, 5).map(([id]) => id)).toEqual(data.map(({ id }) => id));
  });

  it('returns pages and filters by day', async () => {
    const { token } = await registerPerson(platform.api);
    const { sandbox, userMovements } = platform.api.as(token);
    for (let index = 1; index <= 5; index += 1) await sandbox.createDeposit({ token: 'EURe', amount: String(index) });
    const pages = await Array.fromAsync(userMovements.listStatement({ limit: 2 }).pages(), ({ data }) => data.map(({ amount }) => amount));
    expect(pages).toEqual([['5', '4'], ['3', '2'], ['1']]);
    const day = (offset: number) => new Date(platform.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);
    const count = async (days: { from?: string; to?: string }) => (await userMovements.listStatement(days)).data.length;
    expect(await count({ from: day(-1), to: day(1) })).toBe(5);
    expect(await count({ to: day(-2) })).toBe(0);
    expect(await count({ from: day(2) })).toBe(0);
  });

  it('rejects invalid queries and requests without a token', async () => {
    const { token } = await registerPerson(platform.api);
    expectValidation(await platform.api.request('GET', '/user/statement?from=yesterday', { token }), 'from');
    expectValidation(await platform.api.request('GET', '/user/statement?limit=0', { token }), 'limit');
    expect((await platform.api.request('GET', '/user/statement?cursor=bogus', { token })).status).toBe(422);
    expectCode(await platform.api.request('GET', '/user/statement', { headers: { accept: 'text/csv' } }), 401, 'UNAUTHORIZED');
  });
});
