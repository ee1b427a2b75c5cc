import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  platform = await startPlatformInProcess({ AUTHORIZATION_DEADLINE_MS: '5000' });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const DEPOSIT = 50_000;

const ACTIONS = [
  ...(['authorize', 'authorize', 'increment', 'clear', 'clearPart', 'reverse', 'reversePart', 'expire', 'refund', 'advise'] as const),
  ...(['correctDebit', 'correctCredit', 'announce'] as const),
];
type Action = (typeof ACTIONS)[number];
type Step = { payment: number; action: Action; amount: number };
type Sent = { action: Action; event: object; amount: number };

const sendOnce = async ({ action, event, amount }: Sent): Promise<unknown> => {
  const { processor } = network;
  const request = { event, amount: euro(amount), merchant: SHOP };
  switch (action) {
    case 'authorize':
      return (await processor.authorize(request)).decision;
    case 'increment':
      return (await processor.increment({ event, amount: euro(amount) })).decision;
    case 'clear':
      return (await processor.clear(request)).payment;
    case 'clearPart':
      return (await processor.clear({ ...request, moreExpected: true })).payment;
    case 'reverse':
      return (await processor.reverse({ event })).payment;
    case 'reversePart':
      return (await processor.reverse({ event, amount: euro(amount) })).payment;
    case 'expire':
      return (await processor.expire({ event })).payment;
    case 'refund':
      return (await processor.refund(request)).payment;
    case 'advise':
      return (await processor.advise(request)).payment;
    case 'announce':
      return (await processor.announceCredit(request)).payment;
    case 'correctDebit':
      return (await processor.correct({ ...request, direction: CorrectionDirection.DEBIT })).payment;
    case 'correctCredit':
      return (await processor.correct({ ...request, direction: CorrectionDirection.CREDIT })).payment;
  }
};

const send = (sent: Sent): Promise<unknown> => untilKnown(() => sendOnce(sent));

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` });
  const seen = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    const row = data.find(({ currency }) => currency === 'EUR');
    const { data: records } = await platform.api.as(token).cards.listCardTransactions();
    const sum = (field: 'heldAmount' | 'clearedAmount' | 'refundedAmount'): number =>
      records.reduce((all, record) => all + Number(record[field]), 0);
    const [held, cleared, refunded] = [sum('heldAmount'), sum('clearedAmount'), sum('refundedAmount')];
    return {
      has: [Number(row?.spendable), Number(row?.nonSpendable), await network.used(cardId)],
      recorded: [DEPOSIT - held - cleared + refunded, held, held + cleared],
    };
  };
  return { cardId, seen };
};

const step = fc.record({ payment: fc.nat({ max: 1 }), action: fc.constantFrom(...ACTIONS), amount: fc.integer({ min: 1, max: 900 }) });

it('records, limits and ledger agree when all events of two payments come at once, each of them twice', { timeout: 240_000 }, async () => {
  const run = async (steps: readonly Step[]): Promise<void> => {
    const { cardId, seen } = await holder();
    const ids = [randomUUID(), randomUUID()];
    const events = steps.map(({ payment, action, amount }): Sent => {
      return { action, amount, event: { eventId: randomUUID(), transactionId: ids[payment] ?? '', cardId } };
    });
    const [first, second] = await Promise.all([Promise.all(events.map(send)), Promise.all(events.map(send))]);
    expect(isDeepStrictEqual(first, second)).toBe(true);
    const agreed = async () => {
      platform.clock.advanceSeconds(5);
      const { has, recorded } = await seen();
      return isDeepStrictEqual(has, recorded) ? 'agreed' : { has, recorded };
    };
    await expect.poll(agreed, { timeout: 30_000, interval: 100 }).toBe('agreed');
    const before = await seen();
    expect(isDeepStrictEqual(await Promise.all(events.map(send)), first)).toBe(true);
    expect(await seen()).toEqual(before);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), run), { numRuns: 4, endOnFailure: true });
});
