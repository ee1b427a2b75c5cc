import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payment } from '../domain/payment.ts';
import type { Program } from '../domain/program.ts';
import { newSpending, singlePurchase } from '../domain/spending.ts';
import { createSpendingStore } from '../store/spendings.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { createReservations } from './reservations.ts';
import { createSpendingBook } from './spending-book.ts';

const NOW = new Date('2026-03-11T12:00:00Z');
const program = { limits: {}, accountLimits: {}, counts: {}, unauthenticated: {} } as unknown as Program;

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(async () => {
  await store?.connection.dropDatabase();
  await store?.close();
});

/** A process with a memory of its own. */
const newProcess = () => {
  const spendings = createSpendingStore(store.connection);
  const book = createSpendingBook({ spendings });
  return { book, spendings, reservations: createReservations({ book, program, runtime: { now: () => NOW } }) };
};

let one: ReturnType<typeof newProcess>;
let other: ReturnType<typeof newProcess>;
let cardId: string;
beforeEach(async () => {
  [one, other, cardId] = [newProcess(), newProcess(), randomUUID()];
  await set(one, {});
});

const set = ({ book }: typeof one, settings: object) =>
  book.change(cardId, (spending) => ({ spending: { ...spending, ...settings }, result: undefined }));

/** Reserves one euro for a request that a process has judged by the settings that it remembers. */
const reserve = async ({ book, reservations }: typeof one) => {
  const settings = book.recall(cardId) ?? (await book.look(cardId));
  const [id, eventId] = [randomUUID(), randomUUID()];
  const prepared = {
    facts: { id, cardId, accountId: 'account', kind: 'payment', createdAt: NOW },
    event: { id: eventId, type: 'authorization' },
    claim: { id: `processor:${eventId}` },
    ...{ settings, isRemembered: true, now: NOW },
  } as unknown as PreparedEvent;
  return reservations.reserve(prepared, { amount: 100n, authentication: undefined });
};

const reserved = async () => (await one.spendings.find(cardId))?.entries.length;

it('a card for single use has one reservation when many processes decide payments of it at once', async () => {
  const processes = Array.from({ length: 8 }, newProcess);
  await set(one, { controls: { singleUseFrom: NOW } });
  const results = await Promise.all([...processes, ...processes].map(reserve));
  expect(results.toSorted()).toEqual([...Array.from({ length: 15 }, () => 'card_used'), undefined]);
  expect(await reserved()).toBe(1);
});

describe('a card for single use', () => {
  const BEFORE = new Date(NOW.getTime() - 1000);
  const decision = { billing: 1n, amount: 1n, held: 1n };
  const settled = async (events: object[], usages: { at: Date; amount: bigint }[]) => {
    await set(one, { controls: { singleUseFrom: NOW } });
    const payment = { id: randomUUID(), cardId, accountId: 'account', kind: 'payment', createdAt: BEFORE, revision: 1, usages, events };
    await one.reservations.settle(payment as unknown as Payment);
    return singlePurchase((await one.spendings.find(cardId)) ?? newSpending(cardId))?.paymentId === payment.id;
  };
  const authorization = (at: Date) => ({ id: randomUUID(), type: 'authorization', at, decision });

  it('is used by a payment of before that was undone and is authorized again', async () => {
    const events = [authorization(BEFORE), authorization(NOW)];
    const usages = [
      { at: BEFORE, amount: 0n },
      { at: NOW, amount: 1n },
    ];
    expect(await settled(events, usages)).toBe(true);
  });

  it.each(['correction_debit', 'refund_reversal'])('is not used by a %s', async (type) => {
    expect(await settled([{ id: randomUUID(), type, at: NOW }], [{ at: NOW, amount: 1n }])).toBe(false);
  });
});

describe('a reservation by a process that remembers the settings of the card', () => {
  it('is made while they are those that are stored, whatever others reserve', async () => {
    expect([await reserve(one), await reserve(other), await reserve(one)]).toEqual([undefined, undefined, undefined]);
    expect(await reserved()).toBe(3);
  });

  it.each([{ controls: { onlineOff: true } }, { clockAhead: 60 }])('is not made when another process has set %j', async (settings) => {
    expect(await reserve(one)).toBeUndefined();
    await set(other, settings);
    expect(await reserve(one)).toBe('outdated');
    expect(await reserved()).toBe(1);
    // The stored document is remembered now.
    expect(await reserve(one)).toBeUndefined();
  });

  it('is within the limits that another process has set', async () => {
    expect(await reserve(one)).toBeUndefined();
    await set(other, { limits: { daily: 199n } });
    expect(await reserve(one)).toBe('daily_limit_exceeded');
    expect(await reserved()).toBe(1);
  });

  it('is made or not as a whole when many come at once while the controls change', async () => {
    await reserve(other);
    const results = await Promise.all([
      ...Array.from({ length: 10 }, () => reserve(one)),
      set(other, { controls: { onlineOff: true } }),
      ...Array.from({ length: 10 }, () => reserve(other)),
    ]);
    const made = [...results.slice(0, 10), ...results.slice(11)].filter((result) => result === undefined).length;
    expect(await reserved()).toBe(1 + made);
  });
});
