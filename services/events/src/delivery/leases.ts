import type { Logger } from '@florin/rpc/observe';
import { steadyNow } from '@florin/rpc/steady-clock';
import { startRounds } from '@florin/rpc/time';
import { fairShare } from '../domain/webhooks/shards.ts';
import type { Lease, WebhookLeaseStore } from '../store/webhook-leases.ts';

/** Times of leases, in milliseconds. */
export type LeaseTimes = {
  /** Time without a beat after which others may take a lease over. */
  expiryMs: number;
  /** Time from one beat to the next. */
  beatMs: number;
  /** Time after a beat in which the owner may begin something: what it has begun ends before the lease can expire. */
  validMs: number;
};

export type Leases = {
  /** Reports whether deliveries may begin now. */
  areValid: () => boolean;
  /** Gives everything back. */
  close: () => Promise<void>;
};

type Options = {
  store: WebhookLeaseStore;
  /** Id of this deliverer, new with each start. */
  owner: string;
  times: LeaseTimes;
  /** The shard belongs to this deliverer from now on. */
  taken: (shard: number, term: number) => void;
  /** The shard is to be given back or has been taken: resolves when nothing of it is under way. */
  ended: (shard: number, term: number) => Promise<void>;
  logger: Logger;
  /** A clock that goes on while the machine is suspended, in milliseconds. */
  steady?: () => number;
};

/**
 * Shares the shards among the deliverers. A deliverer shows that it is alive by changing a number, and others take its shards over when they have seen no
 * change for some time: clocks of machines are not compared, so that one that jumps does no harm.
 */
export const startLeases = async ({ store, owner, times, taken, ended, logger, steady = steadyNow }: Options): Promise<Leases> => {
  await store.prepare();
  const own = new Map<number, number>();
  const ending = new Map<number, Promise<void>>();
  /** When each beat was first seen, by what it belongs to. */
  const seen = new Map<string, { beat: number; at: number }>();
  let beatAt = Number.NEGATIVE_INFINITY;

  const isSilent = (key: string, beat: number, now: number): boolean => {
    const known = seen.get(key);
    if (known?.beat === beat) return now - known.at > times.expiryMs;
    seen.set(key, { beat, at: now });
    return false;
  };

  const end = (shard: number, term: number, release: boolean): void => {
    own.delete(shard);
    const done = ended(shard, term)
      .then(() => (release ? store.release(shard, owner, term) : undefined))
      .catch((err: unknown) => logger.warn({ err, shard }, 'giving a shard of webhooks back failed'))
      .finally(() => ending.delete(shard));
    ending.set(shard, done);
  };

  const take = async (lease: Lease): Promise<void> => {
    const term = await store.take(lease, owner);
    if (term === undefined) return;
    own.set(lease.shard, term);
    taken(lease.shard, term);
  };

  const round = async (closed: () => boolean): Promise<void> => {
    // A suspended process sees no beats: that is no silence of others.
    const now = performance.now();
    const at = steady();
    await store.beat(owner);
    const { leases, presences } = await store.list();
    for (const { shard, owner: holder, term } of leases) {
      // Taken over while this process was held up.
      if (own.has(shard) && (holder !== owner || own.get(shard) !== term)) end(shard, own.get(shard) ?? term, false);
    }
    // Only now: the beat alone does not show what was taken over before it.
    beatAt = at;
    const alive = presences.filter(({ id, beat }) => id === owner || !isSilent(`deliverer ${id}`, beat, now));
    for (const { id } of presences) if (!alive.some((one) => one.id === id)) await store.forget(id);
    const share = fairShare(alive.length);
    for (const [shard, term] of [...own].slice(share)) end(shard, term, true);
    for (const lease of leases) {
      if (closed()) break;
      const { shard, owner: holder, term, beat } = lease;
      if (own.has(shard) || ending.has(shard)) continue;
      // Its end failed, or the answer to a write was lost: nobody serves it, and as long as it beats, nobody else can take it.
      const isOrphan = holder === owner;
      const isFree = isOrphan || holder === '' || isSilent(`shard ${shard}`, beat, now);
      if (isFree && own.size < share) await take(lease);
      else if (isOrphan) await store.release(shard, owner, term);
    }
  };

  const rounds = startRounds({ round, intervalMs: times.beatMs, logger, failed: 'sharing the shards of webhooks failed, will retry' });
  return {
    areValid: () => steady() - beatAt < times.validMs,
    close: async () => {
      await rounds.close();
      for (const [shard, term] of [...own]) end(shard, term, true);
      await Promise.all(ending.values());
      await store.forget(owner).catch((err: unknown) => logger.warn({ err }, 'signing off as a deliverer failed'));
    },
  };
};
