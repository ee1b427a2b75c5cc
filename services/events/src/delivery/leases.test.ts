import { createSteadyClock, steadyNow } from '@florin/rpc/steady-clock';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHARDS } from '../domain/webhooks/shards.ts';
import { createWebhookLeaseStore, type WebhookLeaseStore } from '../store/webhook-leases.ts';
import { createWorld, type World } from '../testing/world.ts';
import { type Leases, startLeases } from './leases.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 60_000 };

/** Nobody is taken for dead here, however slow the machine is. */
const TIMES = { expiryMs: 600_000, beatMs: 20, validMs: 600_000 };

let world: World;
let store: WebhookLeaseStore;
const opened: Leases[] = [];

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  await world.connection.collection('webhook_leases').deleteMany({});
  store = createWebhookLeaseStore(world.connection);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((leases) => leases.close()));
});
afterAll(() => world.close());

/** Starts a deliverer's leases on a store of which a test replaces some functions. @returns the terms of the shards that it serves */
const start = async (
  replaced: Partial<WebhookLeaseStore> = {},
  { validMs = TIMES.validMs, ended = async (): Promise<void> => {}, steady = steadyNow } = {},
) => {
  const served = new Map<number, number>();
  const leases = await startLeases({
    store: { ...store, ...replaced },
    owner: 'own',
    times: { ...TIMES, validMs },
    taken: (shard, term) => served.set(shard, term),
    ended: async (shard) => {
      served.delete(shard);
      await ended();
    },
    logger: quietLogger,
    steady,
  });
  opened.push(leases);
  return { served, leases };
};

describe('the leases of a deliverer', LONG, () => {
  it('include a shard that was taken by a write whose answer was lost, with the next term', async () => {
    let isLost = false;
    const { served } = await start({
      take: async (lease, owner) => {
        const term = await store.take(lease, owner);
        if (lease.shard === 7 && !isLost) {
          isLost = true;
          throw new Error('the answer was lost');
        }
        return term;
      },
    });
    await expect.poll(() => served.size, LONG).toBe(SHARDS);
    expect(served.get(7)).toBe(2);
    expect(served.get(8)).toBe(1);
  });

  it('are given up for others, and taken anew later, also when the end of a shard failed', async () => {
    let fails = 0;
    const ended = async () => {
      fails += 1;
      throw new Error('the progress could not be stored');
    };
    const { served } = await start({}, { ended });
    await expect.poll(() => served.size, LONG).toBe(SHARDS);
    await store.beat('other');
    const free = async () => (await store.list()).leases.filter(({ owner }) => owner === '').map(({ shard }) => shard);
    await expect.poll(async () => (await free()).length, LONG).toBe(SHARDS / 2);
    expect(fails).toBe(SHARDS / 2);
    expect((await free()).filter((shard) => served.has(shard))).toEqual([]);
    await store.forget('other');
    await expect.poll(() => served.size, LONG).toBe(SHARDS);
    expect([...served.values()].sort()).toEqual([...Array(SHARDS / 2).fill(1), ...Array(SHARDS / 2).fill(2)]);
  });

  it('are valid only after it was seen that nobody else has taken them', async () => {
    let fails = false;
    let beats = 0;
    const { served, leases } = await start(
      {
        beat: async (owner) => {
          await store.beat(owner);
          beats += 1;
        },
        list: () => (fails ? Promise.reject(new Error('the list cannot be read')) : store.list()),
      },
      { validMs: 5000 },
    );
    await expect.poll(() => served.size, LONG).toBe(SHARDS);
    await expect.poll(leases.areValid, LONG).toBe(true);
    fails = true;
    await expect.poll(leases.areValid, LONG).toBe(false);
    const before = beats;
    await expect.poll(() => beats, LONG).toBeGreaterThan(before + 2);
    expect(leases.areValid()).toBe(false);
  });

  it('are not valid after the machine was suspended, until they are confirmed anew', async () => {
    let suspendedMs = 0;
    const steady = createSteadyClock(undefined, () => Date.now() + suspendedMs);
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    const list = async () => {
      if (isHeld) await held.promise;
      return store.list();
    };
    const { leases } = await start({ list }, { steady });
    await expect.poll(leases.areValid, LONG).toBe(true);
    isHeld = true;
    suspendedMs = TIMES.validMs + 1000;
    expect(leases.areValid()).toBe(false);
    held.resolve();
    await expect.poll(leases.areValid, LONG).toBe(true);
  });
});
