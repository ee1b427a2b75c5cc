import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Journal } from '../journal/journal.ts';
import { ClockSkewError, LostRaceError, type WriterEnd } from '../journal/writer-state.ts';
import { type Keeper, type KeeperOptions, ROUNDS_PER_LEASE, startKeeper } from './keeper.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';

const LEASE_MS = 200;
const SHARD = '0';

let keepers: Keeper[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(keepers.map((keeper) => keeper.close()));
  keepers = [];
});

/** Leases as Redis keeps them. None runs out: that would depend on the speed of the machine. */
const createFakeRedis = () => {
  const held = new Map<string, Lease>();
  let away = false;
  let term = 0;
  let renewals = 0;
  const answer = async <T>(work: () => T): Promise<T> => {
    if (away) throw new Error('Redis is away');
    return work();
  };
  const leases: Leases = {
    beat: () => answer(() => []),
    leave: () => answer(() => []),
    find: (shard) => answer(() => held.get(shard)),
    hold: (shard, lease) =>
      answer(() => {
        const before = held.get(shard);
        if (before !== undefined && before.token !== lease.token) return false;
        if (before !== undefined) renewals += 1;
        held.set(shard, lease);
        return true;
      }),
    release: (shard, lease) =>
      answer(() => {
        if (held.get(shard)?.token === lease.token) held.delete(shard);
      }),
    nextTerm: (_shard, after) =>
      answer(() => {
        term = Math.max(term, after) + 1;
        return term;
      }),
  };
  return { leases, owner: () => held.get(SHARD), renewals: () => renewals, cut: (yes: boolean) => (away = yes) };
};

/** A journal that ends when a test says so. */
const createFakeJournal = () => {
  const ended = Promise.withResolvers<WriterEnd>();
  const journal = { shard: SHARD, ended: ended.promise, close: async () => undefined, assertTail: async () => undefined };
  return { journal: journal as unknown as Journal, end: ended.resolve };
};

let ids = 0;
const start = async (leases: Leases, open: KeeperOptions['open'], more: Partial<KeeperOptions> = {}): Promise<Keeper> => {
  ids += 1;
  const keeper = await startKeeper({
    shards: [SHARD],
    instance: `instance-${ids}`,
    url: `http://instance-${ids}`,
    leaseMs: LEASE_MS,
    leases,
    open,
    standBy: () => {
      throw new Error('nothing names a successor');
    },
    lastEpoch: async () => 0,
    seen: () => undefined,
    newId: () => `token-${ids}-${Math.random()}`,
    randomInt: (min) => min,
    logger: quietLogger,
    ...more,
  });
  keepers.push(keeper);
  return keeper;
};

describe('a keeper', () => {
  it('renews the lease of a shard whose journal takes longer to open than the lease lasts', async () => {
    const redis = createFakeRedis();
    const opening = start(redis.leases, async () => {
      await waitFor('renewals of several lease times', async () => (redis.renewals() > 5 * ROUNDS_PER_LEASE ? true : undefined));
      return createFakeJournal().journal;
    });
    await waitFor('the lease', async () => redis.owner());
    const { token } = redis.owner() ?? { token: '' };
    // Another instance that comes meanwhile finds it taken.
    const other = await start(redis.leases, async () => createFakeJournal().journal);
    const keeper = await opening;
    expect(redis.owner()?.token).toBe(token);
    expect(keeper.here(SHARD)).toBeDefined();
    expect(other.here(SHARD)).toBeUndefined();
  });

  it.each([
    ['at a start', ''],
    ['after a predecessor at its address', 'http://predecessor'],
  ])('renews the lease of a shard while the engine does not answer about another one, %s', async (_name, url) => {
    const redis = createFakeRedis();
    const shards = [SHARD, '1'];
    if (url !== '') for (const shard of shards) await redis.leases.hold(shard, { instance: 'dead', url, token: 'dead', epoch: 1 });
    const leases: Leases = {
      ...redis.leases,
      hold: async (shard, lease, instead) => {
        if (instead !== undefined) await redis.leases.release(shard, instead);
        return redis.leases.hold(shard, lease);
      },
    };
    const engine = Promise.withResolvers<number>();
    const opening = start(leases, async () => createFakeJournal().journal, {
      shards,
      lastEpoch: async (shard) => (shard === SHARD ? 0 : engine.promise),
      ...(url === '' ? {} : { url }),
    });
    await waitFor('renewals of several lease times', async () => (redis.renewals() > 5 * ROUNDS_PER_LEASE ? true : undefined));
    engine.resolve(0);
    const keeper = await opening;
    for (const shard of shards) expect(keeper.here(shard)).toBeDefined();
  });

  it('closes a shard that was lost, and opens it again for a later term', async () => {
    const redis = createFakeRedis();
    const journals: ReturnType<typeof createFakeJournal>[] = [];
    const terms: number[] = [];
    const keeper = await start(redis.leases, async (_shard, epoch) => {
      const fake = createFakeJournal();
      journals.push(fake);
      terms.push(epoch);
      return fake.journal;
    });
    const first = keeper.here(SHARD);
    journals[0]?.end('lost');
    await waitFor('another term', async () => (keeper.here(SHARD) !== undefined && keeper.here(SHARD) !== first ? true : undefined));
    expect(terms).toEqual([1, 2]);
    await keeper.health();
  });

  it('leaves a shard that was lost while Redis is away, and does not act as its owner again at once', async () => {
    const redis = createFakeRedis();
    const fake = createFakeJournal();
    const keeper = await start(redis.leases, async () => fake.journal);
    redis.cut(true);
    fake.end('lost');
    await waitFor('it to leave', async () => (keeper.here(SHARD) === undefined ? true : undefined));
    await keeper.look(SHARD, true);
    expect(keeper.here(SHARD)).toBeUndefined();
  });

  it('acts as the owner without Redis only of a shard that no other instance serves', async () => {
    const redis = createFakeRedis();
    redis.cut(true);
    const keeper = await start(redis.leases, async () => createFakeJournal().journal);
    await keeper.look(SHARD, false);
    expect(keeper.here(SHARD)).toBeUndefined();
    await keeper.look(SHARD, true);
    expect(keeper.here(SHARD)).toBeDefined();
  });

  it.each([
    ['the clock is skewed', new ClockSkewError('an hour ahead')],
    ['another writer was first', new LostRaceError('block 7')],
  ])('is unhealthy and releases the lease when a shard cannot be opened because %s', async (_name, problem) => {
    const redis = createFakeRedis();
    let fails = true;
    const keeper = await start(redis.leases, async () => {
      if (fails) throw problem;
      return createFakeJournal().journal;
    });
    await expect(keeper.health()).rejects.toThrow(problem.message);
    fails = false;
    await waitFor('it to recover', async () => ((await keeper.health().catch(() => 'unhealthy')) === undefined ? true : undefined));
    expect(keeper.here(SHARD)).toBeDefined();
  });

  it('pauses between openings that fail for any reason, longer each time', async () => {
    const redis = createFakeRedis();
    const at: number[] = [];
    let fails = true;
    const keeper = await start(redis.leases, async () => {
      at.push(performance.now());
      // Ends a loop that leaves no time for timers.
      if (fails && at.length < 100) throw new Error('the engine is away');
      return createFakeJournal().journal;
    });
    await waitFor('four openings', async () => {
      // As each call does that waits for an owner.
      await keeper.look(SHARD, true);
      return at.length >= 4 ? true : undefined;
    });
    fails = false;
    const [first = 0, second = 0, third = 0] = at.slice(1, 4).map((time, index) => time - (at[index] ?? time));
    expect([first >= 50, second >= 100, third >= LEASE_MS]).toEqual([true, true, true]);
    await waitFor('it to recover', async () => ((await keeper.health().catch(() => 'unhealthy')) === undefined ? true : undefined));
    expect(keeper.here(SHARD)).toBeDefined();
  });

  /** A keeper with one other instance, to which it may hand its shard over. */
  const handingOver = async (journal: Partial<Journal>, find: (key: string, owner: Lease | undefined) => Promise<Lease | undefined>) => {
    const redis = createFakeRedis();
    const leases: Leases = { ...redis.leases, leave: async () => ['http://other'], find: (key) => find(key, redis.owner()) };
    const fake = createFakeJournal().journal;
    return start(leases, async () => ({ ...fake, ...journal }));
  };

  it('lets the journal go on when the successor does not become warm', async () => {
    const calls: string[] = [];
    const keeper = await handingOver(
      { settle: async () => void calls.push('settle'), resume: () => void calls.push('resume'), seal: async () => void calls.push('seal') },
      async (key, owner) => {
        // Redis fails in the middle.
        if (key !== SHARD) throw new Error('Redis is away');
        return owner;
      },
    );
    await keeper.handOver();
    expect(calls).toEqual(['settle', 'resume']);
    expect(keeper.here(SHARD)).toBeDefined();
  });

  it('waits for its successor no longer when storing the balances has taken the time', async () => {
    let looks = 0;
    const keeper = await handingOver(
      {
        settle: async () => {
          const { now } = performance;
          vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 6000);
        },
        resume: () => undefined,
      },
      async (key, owner) => {
        if (key !== SHARD) looks += 1;
        return owner;
      },
    );
    await keeper.handOver();
    expect(looks).toBe(0);
  });

  it('leaves a shard to another instance while its own clock is skewed', async () => {
    const redis = createFakeRedis();
    const fake = createFakeJournal();
    const skewed = await start(redis.leases, async () => fake.journal);
    const sound = await start(redis.leases, async () => createFakeJournal().journal);
    fake.end('skewed');
    await waitFor('the other to take it', async () => sound.here(SHARD));
    expect(skewed.here(SHARD)).toBeUndefined();
  });
});
