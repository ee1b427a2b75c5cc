import { randomUUID } from 'node:crypto';
import { storeShape } from '@florin/data/store';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { loadConfig } from '@florin/rpc/config';
import { describe, expect, it } from 'vitest';
import { fillJournal } from './fill-journal.ts';
import { ledgerEnvironment, startLedger } from './world.ts';

describe('fillJournal', { timeout: 120_000 }, () => {
  it('leaves a ledger that verifies and serves, with the accounts that it opened', async () => {
    const environment = ledgerEnvironment();
    const before = await startLedger(environment);
    const opened = await before.open();
    await before.fund(opened, 'EURe', '5');
    await before.close();
    const { MONGODB_URI: mongodbUri, MONGODB_DATABASE: database } = loadConfig(storeShape, environment);
    const newAccounts = Array.from({ length: 100 }, () => randomUUID() as string);
    const payers = [opened.accountId, ...newAccounts];
    const report = () => undefined;
    await fillJournal({ mongodbUri, database, newAccounts, funds: 1000n, token: 'EURe', payers, transfers: 30, report });

    const ledger = await startLedger(environment);
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
    const { account } = await ledger.accounts.getAccount({ key: { case: 'accountId', value: newAccounts[0] ?? '' } }, ledger.operator);
    expect(account?.status).toBe(AccountStatus.ACTIVE);
    await ledger.close();
  });
});
