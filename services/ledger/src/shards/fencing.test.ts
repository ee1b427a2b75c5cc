import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { startNeighbour, waitFor } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { authority, codeOf, randomTxHash, type TestLedger } from '../testing/world.ts';
import type { Leases } from './leases.ts';

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

/** Leases of an instance that believes it is alone. */
const imagined: Leases = {
  beat: async () => [],
  leave: async () => [],
  find: async () => undefined,
  hold: async () => true,
  release: async () => undefined,
  // Both may get the same term: then the one that opens second does not open.
  nextTerm: async (_shard, after) => after + 1,
};

/** Cuts an instance off from Redis, as far as leases go, and notes which instances it has learned of in a round before. */
const cuttable = () => {
  let cut = false;
  let learned: string[] = [];
  let known: readonly string[] = [];
  return {
    knows: (url: string) => known.includes(url),
    cut: (yes: boolean) => {
      cut = yes;
    },
    leases: (real: Leases): Leases => {
      const through =
        <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
        (...args: A): Promise<T> =>
          cut ? Promise.reject(new Error('cut off')) : call(...args);
      return {
        beat: through(async (url) => {
          known = learned;
          learned = await real.beat(url);
          return learned;
        }),
        leave: through(real.leave),
        find: through(real.find),
        hold: through(real.hold),
        release: through(real.release),
        nextTerm: through(real.nextTerm),
      };
    },
  };
};

const spend = (accountId: string, amount: string) => ({
  entryId: randomUUID() as string,
  transfers: [{ debit: accountId, credit: 'settlement', token: 'EURe', amount }],
});

const spendable = async (ledger: TestLedger, account: Awaited<ReturnType<TestLedger['open']>>) =>
  (await ledger.tokenBalances(account))['EURe']?.spendable;

/** A retry returns the outcome of a call that returned no response. */
const insist = <T>(call: () => Promise<T>): Promise<T> =>
  waitFor(
    'an answer',
    () =>
      call().catch((error: { code?: unknown }) => {
        if (error.code === 'SERVICE_UNAVAILABLE') return undefined;
        throw error;
      }) as Promise<T | undefined>,
    30_000,
  );

describe('two instances that both believe they own a shard', () => {
  it('never fork it, lose nothing and double nothing', async () => {
    const ledgers = await begin(1, { JOURNAL_REFRESH_MS: '100' });
    const pair = [await ledgers.start({ leases: () => imagined }), await ledgers.start({ leases: () => imagined })] as const;
    const [one, other] = pair;
    const [saver, spender] = [await insist(() => one.open()), await insist(() => other.open())];
    const { id } = await insist(() => one.see(spender, 'EURe', '15'));
    await insist(() => other.resolve(id));

    const rounds = Array.from({ length: 10 }, (_, index) => index);
    const events = rounds.map(() => ({ txHash: randomTxHash(), logIndex: 0 }));
    const orders = rounds.map(() => spend(spender.accountId, '1'));
    const withdrawals = rounds.map(() => randomUUID() as string);
    const order = (ledger: TestLedger, index: number) =>
      ledger.entries.createEntries({ entries: [orders[index] ?? spend('', '')] }, ledger.operator).then(({ results }) => results[0]?.code);
    const answers = await Promise.all(
      rounds.flatMap((index) =>
        pair.flatMap((ledger) => [
          insist(() => ledger.see(saver, 'EURe', '3', events[index])).then(() => 'seen'),
          insist(() => order(ledger, index)).then(String),
          codeOf(insist(() => ledger.withdraw(spender, 'EURe', '1', withdrawals[index]))).then((code) => `withdraw ${String(code)}`),
        ]),
      ),
    );
    expect(answers).toHaveLength(60);
    const count = (answer: string) => answers.filter((one) => one === answer).length;
    const written = count(String(EntryResultCode.CREATED));
    const reserved = new Set((await one.movements.listWithdrawals({ page: { limit: 100 } }, spender.user)).withdrawals.map(({ id }) => id));
    // There are fifteen to spend, and twenty requests, each made twice and answered the same.
    expect(written + reserved.size).toBe(15);
    expect(count('seen')).toBe(20);
    for (const ledger of pair) {
      await waitFor('the balances to be known', async () => ((await insist(() => spendable(ledger, spender))) === '0' ? true : undefined));
      expect((await insist(() => ledger.tokenBalances(saver)))['EURe']).toMatchObject({ processingDeposits: '30' });
      expect((await insist(() => ledger.tokenBalances(spender)))['EURe']?.row).toMatchObject({ spendable: '0' });
    }
    expect(await one.verify()).toMatchObject({ ok: true, problem: '', sums: { EURe: '0' } });
    expect(await other.verify()).toMatchObject({ ok: true, problem: '', sums: { EURe: '0' } });
  });
});

describe('an owner that is cut off from Redis', () => {
  it('returns the newest balances while another one has the shard, and leaves it at its next write', async () => {
    const ledgers = await begin(1, { LEDGER_LEASE_MS: '600', JOURNAL_REFRESH_MS: '60000' });
    const wire = cuttable();
    const former = await ledgers.start({ leases: wire.leases });
    const [account, busy] = [await former.open(), await former.open()];
    const successor = await ledgers.start();
    await waitFor('it to learn of the other', async () => (wire.knows(successor.url) ? true : undefined));
    wire.cut(true);
    await ledgers.settled({ [successor.url]: 1 });
    await insist(() => successor.tokenBalances(account));

    const headers = { ...former.operator.headers, 'florin-forwarded': '1' };
    // Its lease is not confirmed, hence it looks for blocks of others, finds one, leaves, and forwards, all without Redis.
    await successor.fund(account, 'EURe', '1');
    expect(await spendable(former, account)).toBe('1');
    expect(await codeOf(former.entries.listTransfers({ accountId: account.accountId }, { headers }))).toBe('SERVICE_UNAVAILABLE');

    let stopped = false;
    ends.push(() => {
      stopped = true;
    });
    const codes = new Set<unknown>();
    const load = [1, 2, 3, 4].map(async () => {
      while (!stopped) codes.add(await codeOf(former.see(busy, 'EURe', '1')));
    });
    for (let sum = 2; sum <= 20; sum += 1) {
      await successor.fund(account, 'EURe', '1');
      expect(await spendable(former, account)).toBe(String(sum));
    }
    stopped = true;
    await Promise.all(load);
    expect([...codes]).toEqual(['no error']);

    wire.cut(false);
    expect(await spendable(former, account)).toBe('20');
    expect(await former.verify()).toMatchObject({ ok: true, problem: '' });
  });
});

describe('without Redis', () => {
  it('owners continue, others find them, and the shards of one that dies are served by the others', async () => {
    const ledgers = await begin(2, { LEDGER_LEASE_MS: '800' });
    const relay = await startRedisRelay(testEngines().redisUrl);
    ends.push(relay.close);
    // Without it, users' sessions would be unknown after five seconds.
    const identity = await startNeighbour({ authority, name: 'identity', services: [] });
    ends.push(() => identity.close(0));
    const throughRelay = { environment: { REDIS_URL: relay.url, IDENTITY_URL: identity.url } };
    let reserved = true;
    const leavesOne = (real: Leases): Leases => ({
      ...real,
      hold: async (shard, ...lease) => !(reserved && shard === '1') && (await real.hold(shard, ...lease)),
    });
    const one = await ledgers.start({ ...throughRelay, leases: leavesOne });
    const other = await ledgers.start(throughRelay);
    await ledgers.settled({ [one.url]: 1, [other.url]: 1 });
    reserved = false;
    const [hers, his] = [await ledgers.openAt(one, one.url), await ledgers.openAt(one, other.url)];

    await relay.cut();
    await ledgers.settled({ [one.url]: 0, [other.url]: 0 });
    for (const ledger of [one, other]) {
      for (const account of [hers, his]) await ledger.fund(account, 'EURe', '1');
    }
    const withdrawal = await one.withdraw(his, 'EURe', '1');

    await other.close();
    await one.movements.updateWithdrawal({ withdrawalId: withdrawal.id, status: WithdrawalStatus.FAILED }, one.operator);
    expect(await spendable(one, his)).toBe('2');

    await relay.restore();
    await ledgers.settled({ [one.url]: 2 });
    const newcomer = await ledgers.start(throughRelay);
    for (const account of [hers, his]) expect(await spendable(newcomer, account)).toBe('2');
    expect(await newcomer.verify()).toMatchObject({ ok: true, problem: '' });
  });
});
