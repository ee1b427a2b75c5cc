import { setTimeout as sleep } from 'node:timers/promises';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { BlockStore } from './journal/ports.ts';
import { openCollections, recordRequest, startReleased } from './testing/released.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

describe('the journal', () => {
  it('returns the same balances and lists after a restart', async () => {
    const environment = ledgerEnvironment();
    const first = await startReleased(environment);
    const account = await first.open();
    await first.fund(account, 'EURe', '1000');
    const withdrawal = await first.withdraw(account, 'EURe', '300');
    await first.see(account, 'USDC.e', '5');
    const before = await first.tokenBalances(account);
    const lists = [await first.movements.listDeposits({}, account.user), await first.movements.listWithdrawals({}, account.user)];
    await first.close();

    const second = await startReleased(environment);
    expect(await second.tokenBalances(account)).toEqual(before);
    expect([await second.movements.listDeposits({}, account.user), await second.movements.listWithdrawals({}, account.user)]).toEqual(
      lists,
    );
    expect((await second.withdraw(account, 'EURe', '300', withdrawal.id)).id).toBe(withdrawal.id);
    expect(await second.verify()).toMatchObject({ ok: true, blocks: 8n, entries: 6n, sums: { EURe: '0', 'USDC.e': '0' } });
  });

  it('groups concurrent entries into few blocks of bounded size', async () => {
    let hold = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        while (hold) await sleep(5);
        return real.insert(block);
      },
    });
    const environment = ledgerEnvironment();
    const ledger = await startReleased(environment, { blocks, environment: { JOURNAL_BLOCK_ENTRIES: '8' } });
    const account = await ledger.open();
    hold = true;
    const calls = Array.from({ length: 64 }, () => ledger.see(account, 'EURe', '1'));
    // A deposit's id is claimed right before its entry goes to the journal.
    const claims = (await openCollections(environment))('movement_claims');
    await waitFor('all claims', async () => ((await claims.countDocuments()) === 64 ? true : undefined));
    await sleep(100);
    hold = false;
    await Promise.all(calls);
    const { ok, blocks: written, entries } = await ledger.verify();
    // Two more entries belong to the account: it was opened and activated.
    expect({ ok, entries }).toEqual({ ok: true, entries: 66n });
    expect(written).toBeGreaterThanOrEqual(10n);
    expect(written).toBeLessThan(20n);
  });

  it('returns SERVICE_UNAVAILABLE when its queue is full', async () => {
    let hold = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        while (hold) await sleep(5);
        return real.insert(block);
      },
    });
    const ledger = await startReleased(ledgerEnvironment(), { blocks, environment: { JOURNAL_QUEUE: '5', JOURNAL_BLOCK_ENTRIES: '1' } });
    const account = await ledger.open();
    hold = true;
    const calls = Array.from({ length: 20 }, () => codeOf(ledger.see(account, 'EURe', '1')));
    await waitFor('rejected calls', async () =>
      (await Promise.race([Promise.any(calls), sleep(1)])) === 'SERVICE_UNAVAILABLE' ? true : undefined,
    );
    hold = false;
    const codes = await Promise.all(calls);
    const booked = codes.filter((code) => code === 'no error').length;
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE')).toHaveLength(20 - booked);
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe(booked.toString());
  });

  it('neither forks nor loses nor repeats entries with two writers', async () => {
    const environment = ledgerEnvironment();
    const [a, b] = [await startReleased(environment), await startReleased(environment)];
    const account = await a.open();
    await a.fund(account, 'EURe', '100');
    const event = recordRequest(account.accountId);
    const work = Array.from({ length: 60 }, (_, index) => {
      const ledger = index % 2 === 0 ? a : b;
      if (index % 6 === 0) return codeOf(ledger.movements.recordDeposit(event, ledger.operator));
      if (index % 3 === 1) return codeOf(ledger.withdraw(account, 'EURe', '10'));
      return codeOf(ledger.see(account, 'GBPe', '1'));
    });
    const codes = await Promise.all(work);
    const withdrawals = codes.filter((_code, index) => index % 6 !== 0 && index % 3 === 1);
    expect(withdrawals.filter((code) => code === 'no error')).toHaveLength(10);
    expect(withdrawals.filter((code) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(10);
    expect(codes.filter((code) => code !== 'no error' && code !== 'INSUFFICIENT_FUNDS')).toEqual([]);
    for (const ledger of [a, b]) {
      await waitFor('the same balances', async () => {
        const balances = await ledger.tokenBalances(account);
        return balances['GBPe']?.processingDeposits === '30' && balances['EURe']?.spendable === '0' ? true : undefined;
      });
      expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe(event.amount);
      expect(await ledger.verify()).toMatchObject({ ok: true, entries: 45n });
    }
    const { deposits } = await b.movements.listDeposits({}, account.user);
    expect(deposits).toHaveLength(32);
  });

  it('judges by the blocks of other instances', async () => {
    const environment = ledgerEnvironment();
    const slow = { environment: { JOURNAL_REFRESH_MS: '60000' } };
    const [a, b] = [await startReleased(environment, slow), await startReleased(environment, slow)];
    const account = await a.open();
    expect(await codeOf(b.withdraw(account, 'EURe', '5'))).toBe('INSUFFICIENT_FUNDS');
    await a.fund(account, 'EURe', '5');
    expect((await b.withdraw(account, 'EURe', '5')).status).toBe(WithdrawalStatus.PENDING);
    expect(await codeOf(a.withdraw(account, 'EURe', '1'))).toBe('INSUFFICIENT_FUNDS');
  });
});
