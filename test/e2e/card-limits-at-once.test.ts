import { setTimeout as pause } from 'node:timers/promises';
import type { HoldsClient } from '@florin/card/testing/holds';
import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
/** Delay of each hold, before or after it is made. */
let slow = { beforeMs: 0, afterMs: 0 };

const slowed = (holds: HoldsClient): HoldsClient => ({
  ...holds,
  open: async (order) => {
    const { beforeMs, afterMs } = order.purpose === 'authorization' ? slow : { beforeMs: 0, afterMs: 0 };
    await pause(beforeMs);
    const result = await holds.open(order);
    await pause(afterMs);
    return result;
  },
});

beforeAll(async () => {
  platform = await startPlatformInProcess({ AUTHORIZATION_DEADLINE_MS: '3000' }, { card: { wrapHolds: slowed } });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterEach(() => {
  slow = { beforeMs: 0, afterMs: 0 };
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${10_000n * 10n ** 18n}` });
  const held = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    return Number(data.find(({ currency }) => currency === 'EUR')?.nonSpendable);
  };
  const used = () => network.used(cardId);
  const limit = (amount: string) => platform.api.as(token).cards.updateCardLimits({ cardId, daily: { amount, currency: 'EUR' } });
  return { cardId, held, used, limit };
};

/** Authorizes as the network does, which repeats an event whose outcome it does not know. */
const decide = (payment: ReturnType<CardNetwork['payment']>, amount = 100, event = payment.event()) =>
  waitFor('a decision', () =>
    payment.authorize(amount, { event }).catch((error: unknown) => {
      if (error instanceof CodedError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
      throw error;
    }),
  );

it('200 authorizations at once never exceed a limit', { timeout: 60_000 }, async () => {
  const { cardId, held, used, limit } = await holder();
  await limit('10050');
  const decisions = await Promise.all(Array.from({ length: 200 }, () => decide(network.payment(cardId))));
  const approved = decisions.filter((decision) => decision.approved);
  // Declines other than by the limit are possible when the machine is slow; they leave no trace.
  expect(approved.length).toBeLessThanOrEqual(100);
  expect(approved.length).toBeGreaterThan(0);
  await expect.poll(async () => [await held(), await used()], { timeout: 20_000 }).toEqual([approved.length * 100, approved.length * 100]);
  expect((await network.payment(cardId).authorize(10_051)).approved).toBe(false);
});

it('one authorization sent 20 times at once is decided once', async () => {
  const { cardId, held, used } = await holder();
  const payment = network.payment(cardId);
  const event = payment.event();
  const decisions = await Promise.all(Array.from({ length: 20 }, () => decide(payment, 700, event)));
  expect(new Set(decisions.map((decision) => JSON.stringify(decision))).size).toBe(1);
  const amount = decisions[0]?.approved === true ? 700 : 0;
  await expect.poll(async () => [await held(), await used()]).toEqual([amount, amount]);
});

describe('an authorization whose hold takes longer than the deadline', () => {
  it.each([
    ['before it is made', { beforeMs: 4000, afterMs: 0 }],
    ['after it is made', { beforeMs: 0, afterMs: 4000 }],
  ])('is declined in time, and the hold is released: %s', { timeout: 30_000 }, async (_when, delay) => {
    const { cardId, held, used } = await holder();
    slow = delay;
    const payment = network.payment(cardId);
    const event = payment.event();
    const decision = await payment.authorize(500, { event });
    expect(decision).toMatchObject({ approved: false, responseCode: '91', declineReason: { code: 'timed_out' } });
    slow = { beforeMs: 0, afterMs: 0 };
    await pause(2500);
    platform.clock.advanceSeconds(30);
    await expect.poll(async () => [await held(), await used()], { timeout: 15_000 }).toEqual([0, 0]);
    expect(await payment.authorize(500, { event })).toEqual(decision);
  });
});
