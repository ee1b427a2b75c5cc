import { startRetention } from '@florin/data/retention';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';
import { retentionRules } from './retention-rules.ts';

const DAY_MS = 86_400_000;

/** The collections of orders of two operators. */
const ORDERS = ['halt_orders', 'replacement_orders'];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());

const idsOf = async (collection: string) => {
  const found = await world.connection.collection<{ _id: string }>(collection).find().toArray();
  return found.map(({ _id }) => _id).sort();
};

/** Fills a database anew, and applies the rules until `isDone`. */
const apply = async (days: Parameters<typeof retentionRules>[0], isDone: () => Promise<boolean>): Promise<void> => {
  const ago = (time: number) => new Date(world.clock.now().getTime() - time * DAY_MS);
  const actions = world.connection.collection<{ _id: string }>('actions');
  const orders = ORDERS.map((name) => world.connection.collection<{ _id: string }>(name));
  const sessions = world.connection.collection<{ _id: string }>('operator_sessions');
  const items = world.connection.collection<{ _id: string }>('queue_items');
  for (const one of [actions, ...orders, sessions, items]) await one.deleteMany({});
  for (const age of [1, 1824, 1826]) await items.insertOne({ _id: `item ${age}`, updatedAt: ago(age) } as never);
  for (const age of [1, 89, 91, 2000]) await actions.insertOne({ _id: `action ${age}`, createdAt: ago(age) } as never);
  for (const status of ['pending', 'approved', 'resolved', 'rejected', 'failed']) {
    for (const age of [1, 1824, 1826]) {
      for (const one of orders) await one.insertOne({ _id: `${status} ${age}`, status, createdAt: ago(age) } as never);
    }
  }
  await sessions.insertMany([{ _id: 'over', expiresAt: ago(1) } as never, { _id: 'open', expiresAt: ago(-1) } as never]);
  const { connection, clock } = world;
  const running = startRetention({ connection, rules: retentionRules(days), runtime: clock, logger: quietLogger, intervalMs: 20 });
  await waitFor('the rules', async () => ((await isDone()) ? true : undefined));
  await running.close();
};

it('actions end with their keys, and orders with the audit log unless they can still be carried out', async () => {
  await apply({ idempotency: 90, audit: 1825 }, async () =>
    (await Promise.all([...ORDERS, 'queue_items'].map(idsOf))).every(({ length }, at) => length <= (at < ORDERS.length ? 11 : 2)),
  );
  expect(await idsOf('actions')).toEqual(['action 1', 'action 89']);
  expect(await idsOf('operator_sessions')).toEqual(['open']);
  const kept = ['pending', 'approved', 'resolved', 'rejected', 'failed'].flatMap((status) => [`${status} 1`, `${status} 1824`]);
  for (const name of ORDERS) expect(await idsOf(name)).toEqual([...kept, 'approved 1826'].sort());
  expect(await idsOf('queue_items')).toEqual(['item 1', 'item 1824']);
});

it('orders stay without end where the audit log does', async () => {
  await apply({ idempotency: 90, audit: 0 }, async () => (await idsOf('actions')).length <= 2);
  expect(await idsOf('actions')).toEqual(['action 1', 'action 89']);
  for (const name of ORDERS) expect(await idsOf(name)).toHaveLength(15);
});
