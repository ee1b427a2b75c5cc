import { openRedis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import mongoose from 'mongoose';
import type { LedgerCluster } from '../../support/ledger-cluster.ts';
import type { StoredBlock } from './read-blocks.ts';

const LEASES = 'florin:ledger:lease:*';

/** The owner of a shard: where the others reach it, and its term. */
export type Lease = { shard: string; url: string; epoch: number };

/** Owners and terms of shards, read past the ledgers: from the leases in Redis, and from the blocks. */
export type Terms = {
  /** None while Redis is away. */
  leases: () => Promise<Lease[]>;
  /** When this term of a shard, or the first later one, has begun to write; undefined before. */
  beganAt: (lease: Lease) => Promise<Date | undefined>;
  close: () => Promise<void>;
};

export const openTerms = async ({ engines }: Pick<LedgerCluster, 'engines'>): Promise<Terms> => {
  const connection = await mongoose.createConnection(engines.mongodbUri, { dbName: 'florin_ledger' }).asPromise();
  const redis = await openRedis(engines.redisUrl, quietLogger);
  const readLeases = async (): Promise<Lease[]> => {
    const keys = await redis.keys(LEASES);
    const values = await Promise.all(keys.map((key) => redis.get(key)));
    return keys.flatMap((key, index) => {
      const value = values[index];
      // A lease may run out in between.
      return typeof value === 'string' ? [{ ...(JSON.parse(value) as Lease), shard: key.split(':').at(-1) ?? '' }] : [];
    });
  };
  return {
    leases: () => readLeases().catch(() => []),
    beganAt: async ({ shard, epoch }) => {
      const blocks = connection.collection<StoredBlock>('blocks').find({ shard, epoch: { $gte: epoch } });
      const [first] = await blocks.sort({ n: 1 }).limit(1).toArray();
      return first?.at;
    },
    close: async () => {
      await redis.close();
      await connection.close();
    },
  };
};
