import { setTimeout as sleep } from 'node:timers/promises';
import { type Lock, type Redis, tryLock } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { followShard, type ShardParts, UnknownEntryError } from './follow-shard.ts';

export type JournalFollower = {
  /** Shards whose reading waits here for a later release of this service. */
  stopped: () => number;
  close: () => Promise<void>;
};

type Parts = ShardParts & {
  /** Tells this service from others on the same Redis. */
  database: string;
  redis: Redis;
  runtime: Pick<Runtime, 'newId'>;
};

/** How long one stream is read. Afterwards any instance may go on. */
const STREAM_MS = 20_000;

/** A lock keeps other instances from doing the same work. After a kill they go on when it expires. */
const LOCK_MS = 30_000;

const RETRY_MS = 500;

/** The first shard, which every journal has. */
const FIRST = '0';

/** Follows all shards of the ledger's journal, each at one instance. The journal decides what happened, so nothing depends on who reads it. */
export const followJournal = ({ database, redis, runtime, ...parts }: Parts): JournalFollower => {
  const { logger } = parts;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const stopped = new Set<string>();
  const rest = (): Promise<void> => sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);

  /** @returns undefined while another instance has the lock. Without Redis, every instance reads: twins are dropped. */
  const lockOf = async (shard: string): Promise<Lock | undefined> => {
    try {
      return await tryLock(redis, `florin:journal-follower:${database}:${shard}`, { ttlMs: LOCK_MS, token: runtime.newId() });
    } catch {
      return { release: async () => undefined };
    }
  };

  const readOnce = async (shard: string): Promise<void> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(STREAM_MS)]);
    try {
      await followShard(parts, shard, signal, (shards) => {
        for (let index = 0; index < shards; index += 1) follow(String(index));
      });
      stopped.delete(shard);
    } catch (err) {
      const isUnknown = err instanceof UnknownEntryError;
      if (isUnknown) stopped.add(shard);
      else stopped.delete(shard);
      if (signal.aborted) return;
      if (isUnknown) logger.error({ err, shard }, 'the journal of this shard waits for a later release of this service');
      else logger.warn({ err, shard }, 'reading the journal failed, will retry');
      await rest();
    }
  };

  const run = async (shard: string): Promise<void> => {
    while (!closing.signal.aborted) {
      const lock = await lockOf(shard);
      if (lock === undefined) {
        // Another instance reads, and says how that goes.
        stopped.delete(shard);
        await rest();
      } else {
        await readOnce(shard);
        await lock.release().catch(() => undefined);
      }
    }
  };

  const follow = (shard: string): void => {
    if (!running.has(shard) && !closing.signal.aborted) running.set(shard, run(shard));
  };
  follow(FIRST);

  return {
    stopped: () => stopped.size,
    close: async () => {
      closing.abort();
      await Promise.all(running.values());
    },
  };
};
