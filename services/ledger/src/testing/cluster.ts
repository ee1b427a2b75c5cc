import { openRedis } from '@florin/data/redis';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { createLeases } from '../shards/leases.ts';
import { ledgerEnvironment, startLedger, type TestLedger } from './world.ts';

type Options = Parameters<typeof startLedger>[1];

/** Ledger instances on one database, and who owns what, as Redis says. */
export const startCluster = async (shards: number, more: Record<string, string> = {}) => {
  const leaseMs = more['LEDGER_LEASE_MS'] ?? '1000';
  const environment = ledgerEnvironment({ JOURNAL_SHARDS: String(shards), LEDGER_LEASE_MS: leaseMs, ...more });
  const scope = environment['MONGODB_DATABASE'] ?? '';
  const redis = await openRedis(environment['REDIS_URL'] ?? '', quietLogger);
  /** Leases of the cluster that a test takes itself, for so long. */
  const leasesOf = (ownLeaseMs: number) => createLeases(redis, { scope, leaseMs: ownLeaseMs });
  const leases = leasesOf(Number(leaseMs));
  const names = Array.from({ length: shards }, (_, index) => String(index));
  const running = new Set<TestLedger>();

  const shardsOf = async (url: string): Promise<string[]> => {
    const found = await Promise.all(names.map(async (shard) => ((await leases.find(shard))?.url === url ? [shard] : [])));
    return found.flat();
  };

  return {
    environment,
    leases,
    leasesOf,
    shardsOf,
    place: ({ accountId }: { accountId: string }) => shardOf(accountId, shards),
    start: async (options: Options = {}): Promise<TestLedger> => {
      const ledger = await startLedger(environment, options);
      const close = async () => {
        if (running.delete(started)) await ledger.close();
      };
      const started = { ...ledger, close };
      running.add(started);
      return started;
    },
    /** Waits until each url owns so many shards. */
    settled: (owned: Record<string, number>) =>
      waitFor(`the shards to be owned as ${JSON.stringify(owned)}`, async () => {
        const counts = await Promise.all(Object.entries(owned).map(async ([url, count]) => (await shardsOf(url)).length === count));
        return counts.every(Boolean) ? true : undefined;
      }),
    /** An account in a shard that this url owns, opened and active. */
    openAt: async (ledger: Pick<TestLedger, 'open'>, url: string) => {
      const owned = await shardsOf(url);
      for (;;) {
        const account = await ledger.open();
        if (owned.includes(shardOf(account.accountId, shards))) return account;
      }
    },
    close: async () => {
      for (const ledger of running) await ledger.close();
      redis.destroy();
    },
  };
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
