import { randomUUID } from 'node:crypto';
import { createReservations } from '@florin/data/idempotency';
import { openStore, type Store } from '@florin/data/store';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVirtualCard } from '../handlers/create-virtual-card.ts';
import type { Dependencies } from '../handlers/dependencies.ts';
import { createCardChanges } from '../life/change-card.ts';
import { createRenewals } from '../life/renew-card.ts';
import { createReplacements } from '../life/replace-card.ts';
import { cardModel } from '../store/card-model.ts';
import { cardholderModel } from '../store/cardholder-model.ts';
import { createCardholderStore } from '../store/cardholders.ts';
import { createCardStore } from '../store/cards.ts';
import { NO_PAYMENTS } from '../testing/no-payments.ts';
import { createTestProcessor, createWorld, PHONE, type World } from '../testing/world.ts';
import { createIssuing, type IssuingParts } from './issue-card.ts';

let world: World;
let store: Store;
let parts: Omit<IssuingParts, 'processor'> & Pick<Dependencies, 'reservations' | 'runtime'>;

beforeAll(async () => {
  world = await createWorld();
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = world.environment;
  store = await openStore({ uri, database, poolSize: 8, logger: quietLogger });
  const runtime = { ...systemRuntime, now: world.clock.now };
  parts = {
    cardholders: createCardholderStore(cardholderModel(store.connection), runtime, world.cipher),
    cards: createCardStore(cardModel(store.connection), runtime),
    reservations: createReservations(store.connection),
    processorTimeoutMs: 500,
    cardsPerDay: 10,
    runtime,
  };
});
afterAll(async () => {
  await world.close();
  await store.close();
});

const killed = (): never => {
  throw new Error('killed');
};
const before = () => async () => killed();
const after =
  <A extends unknown[]>(step: (...args: A) => Promise<unknown>) =>
  async (...args: A) => {
    await step(...args);
    return killed();
  };

type Kill = (parts: IssuingParts) => Partial<IssuingParts>;

const beforeConfirmation: Kill = ({ cardholders }) => ({ cardholders: { ...cardholders, confirm: before() } });

/** Steps at which a process is killed while it issues a card: the parts of the saga with that step replaced. */
const KILLS: [string, Kill][] = [
  ['before its slot is reserved', ({ cardholders }) => ({ cardholders: { ...cardholders, takeSlot: before() } })],
  ['after its slot is reserved', ({ cardholders }) => ({ cardholders: { ...cardholders, takeSlot: after(cardholders.takeSlot) } })],
  ['after the processor has issued it', beforeConfirmation],
  ['after the confirmation is recorded', ({ cardholders }) => ({ cardholders: { ...cardholders, confirm: after(cardholders.confirm) } })],
  ['after the card is written', ({ cards }) => ({ cards: { ...cards, insert: after(cards.insert) } })],
  ['after its slot is marked done', ({ cardholders }) => ({ cardholders: { ...cardholders, finish: after(cardholders.finish) } })],
];

/** Calls CreateVirtualCard in a process that is killed at a step. */
const callAndKill = async (userId: string, requestId: string, kill: Kill) => {
  const { processor } = createTestProcessor();
  const issuing = createIssuing({ ...parts, processor, ...kill({ ...parts, processor }) });
  const changes = createCardChanges(parts);
  const renewals = createRenewals({ ...parts, changes, processor });
  const replacements = createReplacements({ ...parts, changes, issuing });
  const accounts = { findActiveAccount: async () => userId };
  const phoneVerifier = { verifyCode: () => Promise.reject(new Error('not called')) };
  const method = createVirtualCard({
    ...parts,
    ...NO_PAYMENTS,
    accounts,
    issuing,
    changes,
    renewals,
    replacements,
    approvals: { issue: () => Promise.reject(new Error('not called')), withApproval: () => Promise.reject(new Error('not called')) },
    notices: { tell: async () => {} },
    phoneVerifier,
    phoneVerification: 'off',
    erasureWaitDays: 0,
  });
  const call = {
    caller: { kind: 'wallet' as const, wallet: '0x0', expiresAt: new Date(), sessionId: 's', partnerId: 'p', userId },
    requestId: 'r',
    signal: new AbortController().signal,
    logger: quietLogger,
    token: '',
    header: () => null,
  };
  const request = { $typeName: 'florin.card.v1.CreateVirtualCardRequest' as const, requestId, cardName: 'Everyday', phone: PHONE };
  await expect(method.invoke(request, call)).rejects.toThrow('killed');
};

const slotsOf = async (userId: string) => (await parts.cardholders.find(userId))?.slots ?? [];

describe('a card whose process was killed', () => {
  it.each(KILLS)('%s is issued by a repeat of the request', async (_when, kill) => {
    const userId = randomUUID();
    const requestId = randomUUID();
    await callAndKill(userId, requestId, kill);
    const test = createTestProcessor();
    const app = await world.start({ processor: test.processor });
    const user = await app.as(userId);
    const twins = await Promise.all([1, 2, 3].map(() => user.create({ requestId, phone: PHONE })));
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
    expect(await user.list()).toMatchObject([twins[0] ?? expect.fail('there is no card')]);
    expect((await slotsOf(userId)).map(({ cardId }) => cardId)).toEqual([twins[0]?.id]);
    await app.close();
  });

  it.each(KILLS.slice(1))('%s is issued by the sweepers of two replicas without a repeat', async (_when, kill) => {
    const userId = randomUUID();
    const requestId = randomUUID();
    await callAndKill(userId, requestId, kill);
    world.clock.advanceSeconds(11);
    const processors = [createTestProcessor(), createTestProcessor()];
    const apps = await Promise.all(processors.map(({ processor }) => world.start({ processor })));
    const [slot] = await waitFor('the slot to be settled', async () => {
      const slots = await slotsOf(userId);
      return slots.length === 1 && slots[0]?.issuing === undefined ? slots : undefined;
    });
    for (const app of apps) {
      const user = await app.as(userId);
      expect((await user.list()).map(({ id }) => id)).toEqual([slot?.cardId]);
      // A late repeat returns the same card.
      expect((await user.create({ requestId, phone: PHONE })).id).toBe(slot?.cardId);
    }
    const events = await waitFor('the event', async () => {
      const found = await world.events(slot?.cardId ?? '');
      return found.length > 0 ? found : undefined;
    });
    const payload = { cardId: slot?.cardId, accountId: userId, userId, last4: expect.stringMatching(/^\d{4}$/), status: 'active' };
    expect(events[0]).toEqual({ type: 'card.issued', payload });
    for (const app of apps) await app.close();
  });
});

describe('the sweeper', () => {
  it('ignores recent attempts', async () => {
    const userId = randomUUID();
    await callAndKill(userId, randomUUID(), beforeConfirmation);
    const waiting = await parts.cardholders.findWaiting(world.clock.now(), 100);
    expect(waiting.map((found) => found.userId)).not.toContain(userId);
  });

  it('releases the slot when the processor refuses', async () => {
    const userId = randomUUID();
    await callAndKill(userId, randomUUID(), beforeConfirmation);
    world.clock.advanceSeconds(11);
    const test = createTestProcessor();
    test.state.mode = 'refuse';
    const app = await world.start({ processor: test.processor });
    await waitFor('the slot to be released', async () => ((await slotsOf(userId)).length === 0 ? true : undefined));
    expect(await (await app.as(userId)).list()).toEqual([]);
    await app.close();
  });

  it('retries an unknown outcome until it is known', async () => {
    const test = createTestProcessor();
    const app = await world.start({ processor: test.processor });
    const user = await app.as();
    test.state.mode = 'fail';
    await expect(user.create({ phone: PHONE })).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    const [first] = await slotsOf(user.userId);
    world.clock.advanceSeconds(11);
    await waitFor('another attempt', async () => {
      const [slot] = await slotsOf(user.userId);
      return slot?.issuing?.attempt.id === first?.issuing?.attempt.id ? undefined : true;
    });
    expect(await user.list()).toEqual([]);
    test.state.mode = 'issue';
    // The pause before the third attempt is twice as long.
    world.clock.advanceSeconds(21);
    const [found] = await waitFor('the card', async () => {
      const cards = await user.list();
      return cards.length > 0 ? cards : undefined;
    });
    expect(found?.id).toBe(first?.cardId);
    await app.close();
  });
});
