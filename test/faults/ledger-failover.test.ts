import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { ledgerEnvironment, startLedger } from '@florin/ledger/testing/world';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { toCodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ReplicaSet } from '../support/replica-set/replica-set.ts';

const LONG_MS = 120_000;
const LEASE_MS = 600;

let set: ReplicaSet;
beforeAll(async () => {
  set = await ReplicaSet.start({ mongodbUri: inject('mongodbUri') });
}, LONG_MS);
afterAll(() => set.close(), LONG_MS);

describe('a ledger whose database has failed over', { timeout: LONG_MS }, () => {
  it('finds a deposit that was acknowledged before, although the new primary does not know yet that a majority has it', async () => {
    const ledger = await startLedger(ledgerEnvironment({ MONGODB_URI: set.uri(), LEDGER_HEAD_MS: '3600000' }));
    const account = await ledger.open();
    set.hold({ isAcknowledged: true });
    const deposit = await ledger.see(account, 'EURe', '100');
    await set.failover({ interruption: 'error', electionMs: 0 });
    set.hold();
    const resolved = () =>
      ledger.resolve(deposit.id).then(
        () => 'done',
        (error: unknown) => toCodedError(error).code,
      );
    const first = await waitFor('the new primary', async () => {
      const code = await Promise.race([resolved(), pause(1000, 'waits')]);
      return code === 'SERVICE_UNAVAILABLE' ? undefined : code;
    });
    set.release();
    expect(first).toBe('waits');
    await waitFor('the deposit', async () => ((await resolved()) === 'done' ? true : undefined));
    expect(await ledger.verify()).toMatchObject({ ok: true });
    await ledger.close();
  });
});

describe('a ledger at a primary that was replaced and does not know it', { timeout: LONG_MS }, () => {
  it('refuses nothing and returns no balance that a later owner of the shard may have changed', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const environment = ledgerEnvironment({ MONGODB_URI: set.uri(), LEDGER_LEASE_MS: String(LEASE_MS), LEDGER_HEAD_MS: '3600000' });
    const old = await startLedger(environment, { environment: { MONGODB_URI: set.uriOfPrimary(), REDIS_URL: relay.url } });
    const account = await old.open();
    await old.fund(account, 'EURe', '100');
    const balances = () => old.balances.getAccountBalances({ accountId: account.accountId }, old.operator);
    await set.failover({ isUnnoticed: true });
    // Redis was replaced as well, and has lost the lease.
    const next = await startLedger(environment, { environment: { REDIS_URL: `${testEngines().redisUrl}/7` } });
    await waitFor('the next owner', () => next.fund(account, 'EURe', '50').catch(() => undefined));

    const transfers = [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount: '120' }];
    const request = { entries: [{ entryId: randomUUID(), transfers }] };
    const codeAt = async (ledger: typeof old) =>
      (await ledger.entries.createEntries(request, ledger.operator)).results.map(({ code }) => code);
    expect(await codeAt(old).catch((error: unknown) => toCodedError(error).code)).toBe('SERVICE_UNAVAILABLE');
    await relay.cut();
    await pause(LEASE_MS);
    expect(await balances().catch((error: unknown) => toCodedError(error).code)).toBe('SERVICE_UNAVAILABLE');
    expect(await codeAt(next)).toEqual([EntryResultCode.CREATED]);
    set.rejoin();
    await next.close();
    await old.close();
    await relay.close();
  });
});
