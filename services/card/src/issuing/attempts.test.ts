import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issuingSince } from '../domain/cardholder.ts';
import { cardholderModel } from '../store/cardholder-model.ts';
import { type CardholderStore, createCardholderStore } from '../store/cardholders.ts';
import { createWorld, PHONE, type World } from '../testing/world.ts';

let world: World;
let store: Store;
let cardholders: CardholderStore;

beforeAll(async () => {
  world = await createWorld();
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = world.environment;
  store = await openStore({ uri, database, poolSize: 8, logger: quietLogger });
  const runtime = { ...systemRuntime, now: world.clock.now };
  cardholders = createCardholderStore(cardholderModel(store.connection), runtime, world.cipher);
});
afterAll(async () => {
  await world.close();
  await store.close();
});

const slotsOf = async (userId: string) => (await cardholders.find(userId))?.slots ?? [];

describe('attempts on one slot', () => {
  const takeSlot = async () => {
    const userId = randomUUID();
    await cardholders.findOrCreate(userId, PHONE);
    const now = world.clock.now();
    const attempt = { id: randomUUID(), at: now };
    const slot = { cardId: randomUUID(), accountId: userId, name: 'x', requestedAt: now, issuing: issuingSince(attempt, 1) };
    expect(await cardholders.takeSlot(userId, slot, 10)).toBe(true);
    return { userId, slot, attempt };
  };
  const FACE = { last4: '0001', expMonth: 1, expYear: 2030, network: 'visa' };

  it('only the latest one releases it', async () => {
    const { userId, slot, attempt } = await takeSlot();
    const later = { id: randomUUID(), at: world.clock.now() };
    expect(await cardholders.takeOver(userId, slot.cardId, later, 2)).toMatchObject({ cardId: slot.cardId });
    await cardholders.releaseSlot(userId, slot.cardId, attempt);
    expect(await slotsOf(userId)).toHaveLength(1);
    await cardholders.releaseSlot(userId, slot.cardId, later);
    expect(await slotsOf(userId)).toHaveLength(0);
  });

  it('none releases it once confirmed, and the first confirmation wins', async () => {
    const { userId, slot, attempt } = await takeSlot();
    await cardholders.confirm(userId, slot.cardId, FACE);
    await cardholders.releaseSlot(userId, slot.cardId, attempt);
    const again = await cardholders.confirm(userId, slot.cardId, { ...FACE, last4: '0002' });
    expect(again?.issuing?.issued).toMatchObject(FACE);
  });

  it('a confirmation after the release creates no card', async () => {
    const { userId, slot, attempt } = await takeSlot();
    await cardholders.releaseSlot(userId, slot.cardId, attempt);
    expect(await cardholders.confirm(userId, slot.cardId, FACE)).toBeUndefined();
  });

  it('exactly one of many competing takers wins', async () => {
    const { userId, slot, attempt } = await takeSlot();
    const takers = Array.from({ length: 10 }, () =>
      cardholders.takeOver(userId, slot.cardId, { id: randomUUID(), at: world.clock.now() }, 2, attempt),
    );
    expect((await Promise.all(takers)).filter((taken) => taken !== undefined)).toHaveLength(1);
  });

  it('come with growing pauses, and begin anew when the cardholder asks', async () => {
    const { userId, slot, attempt } = await takeSlot();
    const dueIn = async (): Promise<number> => {
      const [held] = await slotsOf(userId);
      return ((held?.issuing?.dueAt.getTime() ?? 0) - world.clock.now().getTime()) / 1000;
    };
    const isDue = async (): Promise<boolean> =>
      (await cardholders.findWaiting(world.clock.now(), 100)).some((waiting) => waiting.slot.cardId === slot.cardId);
    const pauses = [await dueIn()];
    let latest = attempt;
    for (let attempts = 2; attempts <= 9; attempts += 1) {
      expect(await isDue()).toBe(false);
      world.clock.advanceSeconds(pauses.at(-1) ?? 0);
      expect(await isDue()).toBe(true);
      const next = { id: randomUUID(), at: world.clock.now() };
      expect(await cardholders.takeOver(userId, slot.cardId, next, attempts, latest)).toBeDefined();
      latest = next;
      pauses.push(await dueIn());
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
    await cardholders.takeOver(userId, slot.cardId, { id: randomUUID(), at: world.clock.now() }, 1);
    expect(await dueIn()).toBe(10);
  });
});
