import { randomUUID } from 'node:crypto';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { startLedgerProcess } from '../testing/ledger-process.ts';
import { codeOf, randomTxHash, type TestLedger } from '../testing/world.ts';

const HOUR_MS = 3_600_000;

let cluster: Cluster | undefined;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await cluster?.close();
});

const begin = async (...options: Parameters<typeof startCluster>): Promise<Cluster> => {
  cluster = await startCluster(...options);
  return cluster;
};

/** Deposits through these instances in turn until it is stopped. Returns the codes of the failed calls. */
const keepDepositing = (ledgers: readonly TestLedger[], accounts: readonly Parameters<TestLedger['fund']>[0][]) => {
  let stopped = false;
  const failures: unknown[] = [];
  let count = 0;
  const loop = async (turn: number): Promise<void> => {
    for (let index = turn; !stopped; index += 1) {
      const [ledger, account] = [ledgers[index % ledgers.length], accounts[index % accounts.length]];
      if (ledger === undefined || account === undefined) throw new Error('no ledger or no account');
      const code = await codeOf(ledger.fund(account, 'EURe', '1'));
      if (code === 'no error') count += 1;
      else failures.push(code);
    }
  };
  const loops = [0, 1, 2].map(loop);
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
      return { failures, count };
    },
  };
};

describe('shards', () => {
  it('are spread over the instances that are there when they become free', async () => {
    // Long enough for a loaded machine: after a whole lease time either would take more than an equal part.
    const ledgers = await begin(4, { LEDGER_LEASE_MS: '4000' });
    const first = await ledgers.start();
    await ledgers.settled({ [first.url]: 4 });
    const accounts = await Promise.all(Array.from({ length: 12 }, () => first.open()));
    expect(new Set(accounts.map(ledgers.place)).size).toBeGreaterThan(1);

    const second = await ledgers.start();
    const third = await ledgers.start();
    const load = keepDepositing([second, third], accounts);
    ends.push(load.stop);
    await first.close();
    await ledgers.settled({ [second.url]: 2, [third.url]: 2 });
    const { failures, count } = await load.stop();
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(0);

    const balances = await Promise.all(accounts.map(async (account) => (await third.tokenBalances(account))['EURe']?.spendable));
    expect(balances.reduce((sum, balance) => sum + BigInt(balance ?? '0'), 0n)).toBe(BigInt(count));
    expect(await third.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('of an instance that was killed are taken over while a call for one of them waits', async () => {
    const ledgers = await begin(2);
    const killed = await startLedgerProcess(ledgers.environment);
    ends.push(killed.kill);
    await ledgers.settled({ [killed.url]: 2 });
    const survivor = await ledgers.start();
    const account = await ledgers.openAt(survivor, killed.url);
    await survivor.fund(account, 'EURe', '5');
    const epochBefore = (await ledgers.leases.find(ledgers.place(account)))?.epoch ?? 0;

    await killed.kill();
    await survivor.fund(account, 'EURe', '6');
    expect((await survivor.tokenBalances(account))['EURe']?.spendable).toBe('11');
    await ledgers.settled({ [survivor.url]: 2 });
    expect((await ledgers.leases.find(ledgers.place(account)))?.epoch).toBeGreaterThan(epochBefore);
    expect(await survivor.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('of an instance that was suspended are taken over, and the call that waits there is repeated', async () => {
    const ledgers = await begin(1);
    const suspended = await startLedgerProcess(ledgers.environment);
    ends.push(suspended.kill);
    await ledgers.settled({ [suspended.url]: 1 });
    const survivor = await ledgers.start();
    const account = await survivor.open();
    await survivor.fund(account, 'EURe', '5');

    suspended.suspend();
    await survivor.fund(account, 'EURe', '6');
    await ledgers.settled({ [survivor.url]: 1 });
    suspended.resume();
    await survivor.fund(account, 'EURe', '7');
    expect((await survivor.tokenBalances(account))['EURe']?.spendable).toBe('18');
    expect(await survivor.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('of a predecessor at the same address are taken over at once', async () => {
    const url = 'http://ledger-0.test:50053';
    const ledgers = await begin(2, { LEDGER_LEASE_MS: '60000', ADVERTISE_URL: url });
    const dead = { instance: randomUUID(), url, token: randomUUID(), epoch: 7 };
    await ledgers.leases.beat(url);
    for (const shard of ['0', '1']) await ledgers.leases.hold(shard, dead);
    const successor = await ledgers.start();
    for (const shard of ['0', '1']) {
      const lease = await ledgers.leases.find(shard);
      expect(lease).toMatchObject({ url });
      expect(lease?.instance).not.toBe(dead.instance);
    }
    await successor.open();
  });

  it('are as many as the database was created with', async () => {
    const ledgers = await begin(2);
    await (await ledgers.start()).close();
    const unaccepted = { environment: { ENTRY_IDS_PER_SHARD: 'false' } };
    await expect(ledgers.start(unaccepted)).rejects.toThrow('entry ids are unique within a shard only');
    await expect(ledgers.start({ environment: { ...unaccepted.environment, JOURNAL_SHARDS: '' } })).rejects.toThrow('ENTRY_IDS_PER_SHARD');
    await expect(ledgers.start({ environment: { JOURNAL_SHARDS: '3' } })).rejects.toThrow('JOURNAL_SHARDS: this database was made with 2');
    const unsaid = await ledgers.start({ environment: { JOURNAL_SHARDS: '' }, logger: quietLogger });
    await ledgers.settled({ [unsaid.url]: 2 });
  });

  it('are unavailable when no owner is found in time', async () => {
    const ledgers = await begin(1, { LEDGER_LEASE_MS: '500' });
    const nowhere = { instance: randomUUID(), url: 'http://127.0.0.1:1', token: randomUUID(), epoch: 1 };
    const endless = ledgers.leasesOf(HOUR_MS);
    await endless.hold('0', nowhere);
    const ledger = await ledgers.start();
    const deposit = { accountId: randomUUID(), chainId: 100, txHash: randomTxHash(), logIndex: 0, token: 'EURe', amount: '1' };
    expect(await codeOf(ledger.movements.recordDeposit(deposit, ledger.operator))).toBe('SERVICE_UNAVAILABLE');
    await endless.release('0', nowhere);
    await ledgers.settled({ [ledger.url]: 1 });
    await ledger.open();
  });
});
