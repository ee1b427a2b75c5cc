import { quietLogger } from '@florin/rpc/testing';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import type { Journal } from '../journal/journal.ts';
import { type Keeper, startKeeper } from './keeper.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';

vi.mock('@florin/rpc/time', async (original) => ({
  ...(await original<object>()),
  // That of Node is not moved by virtual time.
  pause: (ms: number, value: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
}));

const LEASE_MS = 1200;
const SHARD = '0';
const TICK_MS = 10;
/** As calls that wait for an owner do. */
const LOOK_MS = 50;
const TAKEOVER_MS = 2000;

/** The time that passes while no process of the machine runs, in milliseconds. */
let stalledMs = 0;
afterEach(() => vi.useRealTimers());

/** Redis in virtual time, where leases and instances run out. */
const createRedis = (now: () => number) => {
  let held: { lease: Lease; until: number } | undefined;
  const alive = new Map<string, number>();
  let term = 0;
  const current = (): Lease | undefined => (held !== undefined && held.until > now() ? held.lease : undefined);
  const living = (url: string): string[] => [...alive].flatMap(([one, until]) => (one !== url && until > now() ? [one] : []));
  const leases: Leases = {
    beat: async (url) => {
      alive.set(url, now() + LEASE_MS);
      return [url, ...living(url)];
    },
    leave: async (url) => {
      alive.delete(url);
      return [];
    },
    find: async (shard) => (shard === SHARD ? current() : undefined),
    hold: async (_shard, lease, instead) => {
      const before = current();
      if (before !== undefined && before.token !== lease.token && before.token !== instead?.token) return false;
      held = { lease, until: now() + LEASE_MS };
      return true;
    },
    nextTerm: async (_shard, after) => {
      term = Math.max(term, after) + 1;
      return term;
    },
    release: async (_shard, lease) => {
      if (current()?.token === lease.token) held = undefined;
    },
  };
  return { leases, current };
};

/** Instances that compete for one shard. */
const startInstances = async (count: number) => {
  stalledMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'], now: 1 });
  const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  vi.spyOn(Date, 'now').mockImplementation(() => date() + stalledMs);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + stalledMs);
  const redis = createRedis(() => performance.now());
  const dead = new Set<string>();
  /** A process that was killed calls nobody any more. */
  const connect = (url: string): Leases => {
    const through =
      (call: (...args: never[]) => Promise<unknown>) =>
      (...args: never[]) =>
        dead.has(url) ? new Promise<never>(() => undefined) : call(...args);
    return Object.fromEntries(Object.entries(redis.leases).map(([name, call]) => [name, through(call)])) as unknown as Leases;
  };
  const journal = { ended: new Promise(() => undefined), close: async () => undefined, assertTail: async () => undefined };
  const keepers = new Map<string, Keeper>();
  let ids = 0;
  for (let index = 0; index < count; index += 1) {
    const url = `http://instance-${index}`;
    const starting = startKeeper({
      shards: [SHARD],
      instance: url,
      url,
      leaseMs: LEASE_MS,
      leases: connect(url),
      open: async () => journal as unknown as Journal,
      standBy: () => {
        throw new Error('nothing names a successor');
      },
      lastEpoch: async () => 0,
      seen: () => undefined,
      newId: () => {
        ids += 1;
        return `token-${ids}`;
      },
      randomInt: (min) => min,
      logger: quietLogger,
    });
    await vi.advanceTimersByTimeAsync(TICK_MS);
    keepers.set(url, await starting);
  }
  let elapsed = 0;
  const tick = async (): Promise<void> => {
    elapsed += TICK_MS;
    await vi.advanceTimersByTimeAsync(TICK_MS);
    if (elapsed % LOOK_MS !== 0) return;
    for (const [url, keeper] of keepers) if (!dead.has(url)) void keeper.look(SHARD, false);
    await vi.advanceTimersByTimeAsync(0);
  };
  const owner = (): string | undefined => redis.current()?.url;
  return {
    owner,
    tick,
    run: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += TICK_MS) await tick();
    },
    kill: (url: string) => dead.add(url),
    serving: () => [...keepers].filter(([url, keeper]) => !dead.has(url) && keeper.here(SHARD) !== undefined).map(([url]) => url),
    living: () => keepers.size - dead.size,
    close: async () => {
      vi.clearAllTimers();
      vi.restoreAllMocks();
      vi.useRealTimers();
    },
  };
};

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const), ms: fc.integer({ min: 100, max: 3000 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stall' as const), ms: fc.integer({ min: 100, max: 4000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), ms: fc.constant(0) }) },
);

it('a shard stays where it is while the whole machine stalls, has one owner, and another within two seconds of a kill', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const instances = await startInstances(3);
      try {
        await instances.run(LEASE_MS);
        for (const { do: what, ms } of steps) {
          const before = instances.owner() ?? expect.fail('no owner');
          expect(instances.serving()).toEqual([before]);
          if (what === 'stall') stalledMs += ms;
          if (what === 'kill' && instances.living() > 1) {
            instances.kill(before);
            await instances.run(TAKEOVER_MS);
            expect(instances.owner()).not.toBe(before);
          } else await instances.run(what === 'run' ? ms : LEASE_MS);
          if (what !== 'kill') expect(instances.owner()).toBe(before);
        }
      } finally {
        await instances.close();
      }
    }),
    { numRuns: 30 },
  );
});
