import { randomUUID } from 'node:crypto';
import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { createEntriesClient } from '@florin/rpc/entries';
import { afterEach, describe, expect, it } from 'vitest';
import { startCluster } from '../testing/cluster.ts';

/** Longer than the test: a call for the shard without an owner waits as long, and for an opening. */
const LEASE_MS = 60_000;
const OPTIONS = { timeoutMs: 55_000 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe('a shard without an owner', () => {
  it('does not delay the entries of another shard that are ordered at the same time', async () => {
    const cluster = await startCluster(2, { LEDGER_LEASE_MS: String(LEASE_MS) });
    ends.push(cluster.close);
    const absent = { instance: randomUUID(), url: 'http://127.0.0.1:1', token: randomUUID(), epoch: 1 };
    await cluster.leases.hold('1', absent);
    const ledger = await cluster.start();
    await cluster.settled({ [ledger.url]: 1 });
    const channel = createRpcChannel({
      baseUrl: ledger.url,
      timeoutMs: OPTIONS.timeoutMs,
      serviceToken: () => ledger.authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.writeEntries]),
    });
    ends.push(channel.close);
    const client = createEntriesClient(channel);
    const accounts = Array.from({ length: 100 }, () => randomUUID());
    const [served = ''] = accounts.filter((accountId) => cluster.place({ accountId }) === '0');
    const stranded = accounts.filter((accountId) => cluster.place({ accountId }) === '1').slice(0, 3);
    // The accounts were never opened, which is what the journal of their shard finds out.
    const create = (accountId: string) =>
      client.create(
        { entryId: randomUUID(), transfers: [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: '1' }] },
        OPTIONS,
      );

    let settled = 0;
    const createStranded = () =>
      stranded.map((accountId) =>
        create(accountId).finally(() => {
          settled += 1;
        }),
      );
    // Before the client knows how many shards there are, and after.
    const pending = createStranded();
    expect(await create(served)).toBe(Code.ACCOUNT_NOT_FOUND);
    pending.push(...createStranded());
    expect(await create(served)).toBe(Code.ACCOUNT_NOT_FOUND);
    expect(settled).toBe(0);

    await cluster.leases.release('1', absent);
    expect(await Promise.all(pending)).toEqual(Array(6).fill(Code.ACCOUNT_NOT_FOUND));
  });
});
