import { randomUUID } from 'node:crypto';
import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { createEntriesClient, type EntriesClient } from '@florin/rpc/entries';
import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BlockStore } from '../journal/ports.ts';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { type LedgerProcess, startLedgerProcess } from '../testing/ledger-process.ts';
import { createDoor } from '../testing/next-journal.ts';
import { authority, codeOf, type TestLedger } from '../testing/world.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const begin = async (shards: number, more: Record<string, string> = {}): Promise<Cluster> => {
  const cluster = await startCluster(shards, more);
  ends.push(cluster.close);
  return cluster;
};

const beginProcess = async ({ environment }: Cluster, more: Record<string, string> = {}): Promise<LedgerProcess> => {
  const started = await startLedgerProcess({ ...environment, ...more });
  ends.push(started.kill);
  return started;
};

/** Books as the card service does. */
const entriesAt = (url: string): EntriesClient => {
  const serviceToken = () => authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.writeEntries]);
  const channel = createRpcChannel({ baseUrl: url, serviceToken });
  ends.push(channel.close);
  return createEntriesClient(channel);
};

type Account = Awaited<ReturnType<TestLedger['open']>>;

const PAUSE_MS = 50;

/** Longer than an owner that serves no more waits for its successor. */
const SLOWER_THAN_STOP_MS = 6000;

/** Starts and stops real processes, on a machine that may do other work. */
vi.setConfig({ testTimeout: 90_000 });

/** Gives each account one EURe after the other, until it is stopped. */
const keepBooking = (client: EntriesClient, accounts: readonly Account[]) => {
  let stopped = false;
  const codes: unknown[] = [];
  const loop = async ({ accountId }: Account): Promise<void> => {
    while (!stopped) {
      const transfers = [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: '1' }];
      codes.push(await client.create({ entryId: randomUUID(), transfers }).catch((error: { code?: unknown }) => error.code));
      await pause(PAUSE_MS);
    }
  };
  const loops = accounts.map(loop);
  return {
    codes,
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
};

const balanceOf = async (ledger: TestLedger, account: Account): Promise<number> =>
  Number((await ledger.tokenBalances(account))['EURe']?.spendable ?? 0);

describe('an owner that stops', () => {
  it('hands each shard to a successor that has followed it, and no call fails', async () => {
    const ledgers = await begin(2);
    // It takes calls until the test is over.
    const owner = await beginProcess(ledgers, { DRAIN_SECONDS: '60' });
    await ledgers.settled({ [owner.url]: 2 });
    const [one, other] = [await ledgers.start(), await ledgers.start()];
    const accounts = await Promise.all(Array.from({ length: 4 }, () => one.open()));
    const before = await Promise.all(['0', '1'].map((shard) => ledgers.leases.find(shard)));
    const loads = [owner.url, one.url, other.url].map((url) => keepBooking(entriesAt(url), accounts));
    await waitFor('entries', async () => (loads.every(({ codes }) => codes.length > 20) ? true : undefined));

    void owner.stop();
    // Which instances are alive when the owner stops, a busy machine decides: one of them may get both.
    const successors = async () => (await Promise.all([one.url, other.url].map(ledgers.shardsOf))).flat();
    await waitFor('successors', async () => ((await successors()).length === 2 ? true : undefined), 60_000);
    const after = await Promise.all(['0', '1'].map((shard) => ledgers.leases.find(shard)));
    const booked = loads.map(({ codes }) => codes.length);
    await waitFor('more entries', async () =>
      loads.every(({ codes }, index) => codes.length > (booked[index] ?? 0) + 20) ? true : undefined,
    );
    await Promise.all(loads.map(({ stop }) => stop()));

    const codes = loads.flatMap((load) => load.codes);
    expect(codes.filter((code) => code !== Code.CREATED && code !== Code.EXISTS)).toEqual([]);
    expect(owner.messages.filter((message) => message === 'handed a shard over')).toHaveLength(2);
    for (const [index, lease] of after.entries()) expect(lease?.epoch).toBeGreaterThan(before[index]?.epoch ?? Number.POSITIVE_INFINITY);
    const balances = await Promise.all(accounts.map((account) => balanceOf(other, account)));
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(codes.length);
    expect(await one.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('waits for its successor for as long as it serves', async () => {
    const ledgers = await begin(1);
    const owner = await beginProcess(ledgers, { DRAIN_SECONDS: '60' });
    await ledgers.settled({ [owner.url]: 1 });
    const reads = createDoor();
    const successor = await ledgers.start({
      checkpoints: (real) => ({ ...real, load: (shard) => reads.pass().then(() => real.load(shard)) }),
    });
    reads.shut();
    const stopped = owner.stop();
    await waitFor('a successor to be named', async () =>
      (await ledgers.leases.find('0'))?.successor === successor.url ? true : undefined,
    );
    await pause(SLOWER_THAN_STOP_MS);
    reads.open();
    await ledgers.settled({ [successor.url]: 1 });
    // Its log arrives after the lease that it gave away.
    await waitFor('the owner to say so', async () => (owner.messages.includes('handed a shard over') ? true : undefined));
    await owner.kill();
    await stopped;
  });

  it('leaves its shards to a warm successor when it is killed in the middle', async () => {
    const ledgers = await begin(1);
    const owner = await beginProcess(ledgers);
    await ledgers.settled({ [owner.url]: 1 });
    const successor = await ledgers.start({
      leases: (real) => ({
        ...real,
        // The successor never shows that it is warm, so that the owner waits for it.
        hold: (shard, lease, instead) => (shard === '0/successor' ? Promise.resolve(false) : real.hold(shard, lease, instead)),
      }),
    });
    const account = await successor.open();
    const stopped = owner.stop();
    await waitFor('the successor to be named', async () =>
      (await ledgers.leases.find('0'))?.successor === successor.url ? true : undefined,
    );
    await successor.fund(account, 'EURe', '3');
    await owner.kill();
    await stopped;
    expect(await codeOf(successor.fund(account, 'EURe', '4'))).toBe('no error');
    await ledgers.settled({ [successor.url]: 1 });
    expect(await balanceOf(successor, account)).toBe(7);
    expect(await successor.verify()).toMatchObject({ ok: true, problem: '' });
  });
});

/** Holds calls of the engine back, from this instance only, until it is opened. */
const createBrake = () => {
  const door = createDoor();
  return {
    ...door,
    blocks: (real: BlockStore): BlockStore => ({ ...real, insert: (block) => door.pass().then(() => real.insert(block)) }),
  };
};

describe('an owner that writes nothing', () => {
  it('hands its shard to an instance that can write, and the calls that wait are repeated there', async () => {
    const ledgers = await begin(1);
    const brake = createBrake();
    const owner = await ledgers.start({ blocks: brake.blocks });
    await ledgers.settled({ [owner.url]: 1 });
    const successor = await ledgers.start();
    const account = await successor.open();
    const before = await ledgers.leases.find('0');

    brake.shut();
    const calls = [owner, successor].map((ledger) => codeOf(ledger.fund(account, 'EURe', '5')));
    await ledgers.settled({ [successor.url]: 1 });
    brake.open();
    expect(await Promise.all(calls)).toEqual(['no error', 'no error']);
    // It may run out on a machine with other work.
    const { epoch } = await waitFor('a lease', () => ledgers.leases.find('0'));
    expect(epoch).toBeGreaterThan(before?.epoch ?? Number.POSITIVE_INFINITY);
    await owner.fund(account, 'EURe', '1');
    expect(await balanceOf(owner, account)).toBe(11);
    expect(await owner.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('keeps its shard when nobody else can read the journal either', async () => {
    const ledgers = await begin(1);
    const brake = createBrake();
    const owner = await ledgers.start({ blocks: brake.blocks });
    await ledgers.settled({ [owner.url]: 1 });
    const reads = createDoor();
    const other = await ledgers.start({ checkpoints: (real) => ({ ...real, load: (shard) => reads.pass().then(() => real.load(shard)) }) });
    const account = await owner.open();
    const before = await ledgers.leases.find('0');

    brake.shut();
    reads.shut();
    const call = codeOf(owner.fund(account, 'EURe', '5'));
    await waitFor('a successor to be named', async () => ((await ledgers.leases.find('0'))?.successor === other.url ? true : undefined));
    await waitFor('the name to be withdrawn', async () => ((await ledgers.leases.find('0'))?.successor === undefined ? true : undefined));
    brake.open();
    reads.open();
    await call;
    expect(await ledgers.leases.find('0')).toEqual(before);
    await owner.fund(account, 'EURe', '1');
    expect(await owner.verify()).toMatchObject({ ok: true, problem: '' });
  });
});
