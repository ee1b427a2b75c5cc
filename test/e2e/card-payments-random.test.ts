import { randomUUID } from 'node:crypto';
import type { HoldsClient } from '@florin/card/testing/holds';
import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing/wait-for';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerWithRetries } from '../faults/life.ts';
import { createPersistentClient } from '../faults/persistent-client.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { createMortality, type Death } from '../support/mortal-card.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard } from '../support/story.ts';

/** What one payment has come to, computed from the events alone: a second, smaller reading of the rules. */
type Model = {
  open: boolean;
  ended: boolean;
  held: number;
  cleared: number;
  refunded: number;
  early: number;
  announced: number;
  /** Booked with its authorization, and not reversed yet. */
  atOnce: boolean;
  /** Of what was booked at once: what was asked back, and what was given back beside the refunds. */
  asked: number;
  given: number;
};
const newModel = (): Model => ({
  ...{ open: false, ended: false, held: 0, cleared: 0, refunded: 0, early: 0, announced: 0, atOnce: false, asked: 0, given: 0 },
});

const ACTIONS = [
  ...(['authorize', 'withdraw', 'increment', 'clear', 'clearPart', 'reverse', 'reversePart', 'expire', 'refund', 'advise'] as const),
  ...(['correctDebit', 'correctCredit', 'announce', 'forcePost', 'credit', 'reverseRefund'] as const),
] as const;
type Action = (typeof ACTIONS)[number];
type Step = { payment: number; action: Action; amount: number; fault: number; death: Death | undefined };

/** What was asked back of a booking, no part of it beside a refund. */
const givenBack = (model: Model, asked = model.asked): Model => {
  const booked = model.cleared + model.given;
  const given = Math.min(asked, Math.max(0, booked - Math.max(0, model.refunded)));
  return { ...model, asked, given, cleared: booked - given };
};

const apply = (model: Model, action: Action, amount: number, approved: boolean): Model => {
  const booked = model.cleared + model.given;
  const left = Math.max(0, amount - model.cleared - model.early);
  const pending = model.open && !model.ended;
  const onlyAnnounced = !model.open && model.announced > 0;
  switch (action) {
    case 'authorize':
      if (!approved) return model;
      return left === 0 ? { ...model, ended: true } : { ...model, open: true, held: left };
    case 'withdraw':
      if (!approved) return model;
      return { ...model, open: left > 0, ended: true, atOnce: true, cleared: model.cleared + left };
    case 'increment':
      return approved ? { ...model, held: model.held + amount } : model;
    case 'clear':
      return { ...model, cleared: model.cleared + amount, ...(pending ? { held: 0, ended: true } : {}) };
    case 'clearPart':
      return { ...model, cleared: model.cleared + amount, ...(pending ? { held: Math.max(0, model.held - amount) } : {}) };
    case 'reverse':
      if (onlyAnnounced) return { ...model, announced: 0 };
      if (model.atOnce) return { ...givenBack(model, booked), atOnce: false };
      return model.ended ? model : { ...model, held: 0, ended: true };
    case 'reversePart':
      if (onlyAnnounced) return { ...model, announced: Math.max(0, model.announced - amount) };
      if (model.atOnce) return { ...givenBack(model, Math.min(booked, model.asked + amount)), atOnce: model.asked + amount < booked };
      if (model.ended) return model;
      if (!model.open) return { ...model, early: model.early + amount };
      return amount >= model.held ? { ...model, held: 0, ended: true } : { ...model, held: model.held - amount };
    case 'expire':
      if (onlyAnnounced) return { ...model, announced: 0, ended: true };
      return pending ? { ...model, held: 0, ended: true } : model;
    case 'refund':
    case 'credit':
    case 'correctCredit':
      return givenBack({ ...model, refunded: model.refunded + amount, announced: Math.max(0, model.announced - amount) });
    case 'reverseRefund':
      return givenBack({ ...model, refunded: model.refunded - amount });
    case 'correctDebit':
    case 'forcePost':
      return { ...model, cleared: model.cleared + amount };
    case 'announce':
      return { ...model, announced: model.announced + amount };
    case 'advise': {
      if (model.atOnce) {
        const replaced = givenBack(model, Math.max(0, booked - amount));
        return { ...replaced, cleared: replaced.cleared + Math.max(0, amount - booked) };
      }
      if (model.ended) return model;
      const target = Math.max(0, amount - model.cleared);
      return model.open || target > 0 ? { ...model, open: true, held: target } : model;
    }
  }
};

/** The ledger as the card service sees it: with a fault, a call fails before it is made, or its answer is lost. */
const faulty = (holds: HoldsClient, faults: { next: () => number }): HoldsClient => {
  const broken = (name: keyof HoldsClient) =>
    (async (...args: never[]) => {
      const fault = faults.next();
      const fail = () => {
        throw new CodedError('SERVICE_UNAVAILABLE');
      };
      if (fault === 1) fail();
      const result = await (holds[name] as (...all: never[]) => Promise<unknown>)(...args);
      if (fault === 2) fail();
      return result;
    }) as never;
  const names: (keyof HoldsClient)[] = ['open', 'increase', 'decrease', 'void', 'post', 'transfer', 'available'];
  return Object.fromEntries(names.map((name) => [name, broken(name)])) as unknown as HoldsClient;
};

const mortality = createMortality();
let platform: PlatformInProcess;
let network: CardNetwork;
/** Repeats what is not answered in time. */
let api: ApiClient;
let fault = 0;
beforeAll(async () => {
  const faults = {
    next: () => {
      const now = fault;
      fault = 0;
      return now;
    },
  };
  platform = await startPlatformInProcess(
    // A repeat of a request whose service has died waits so long for its decision.
    { AUTHORIZATION_DEADLINE_MS: '2000' },
    { card: { wrapHolds: (holds) => mortality.wrapHolds(faulty(holds, faults)) } },
  );
  api = createPersistentClient(platform.url);
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
  mortality.restore();
});

const DEPOSIT = 20_000;

const holder = async () => {
  const { token } = await waitFor('a registration', () => registerWithRetries(api), 120_000);
  const cardId = await createCard(api, token);
  await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` });
  return { token, cardId };
};

const sendOnce = async (action: Action, event: object, amount: number): Promise<{ approved: boolean; answer: unknown }> => {
  const { processor } = network;
  const request = { event, amount: euro(amount), merchant: SHOP };
  const decided = (decision: { approved: boolean } | undefined) => ({ approved: decision?.approved === true, answer: decision });
  switch (action) {
    case 'authorize':
      return decided((await processor.authorize(request)).decision);
    case 'withdraw':
      return decided((await processor.authorize({ ...request, atm: true, singleMessage: true })).decision);
    case 'increment':
      return decided((await processor.increment({ event, amount: euro(amount) })).decision);
    case 'clear':
      return { approved: true, answer: (await processor.clear(request)).payment };
    case 'clearPart':
      return { approved: true, answer: (await processor.clear({ ...request, moreExpected: true })).payment };
    case 'reverse':
      return { approved: true, answer: (await processor.reverse({ event })).payment };
    case 'reversePart':
      return { approved: true, answer: (await processor.reverse({ event, amount: euro(amount) })).payment };
    case 'expire':
      return { approved: true, answer: (await processor.expire({ event })).payment };
    case 'refund':
      return { approved: true, answer: (await processor.refund(request)).payment };
    case 'credit':
      return { approved: true, answer: (await processor.credit(request)).payment };
    case 'reverseRefund':
      return { approved: true, answer: (await processor.reverseRefund(request)).payment };
    case 'forcePost':
      return { approved: true, answer: (await processor.clear({ ...request, forcePost: true })).payment };
    case 'advise':
      return { approved: true, answer: (await processor.advise(request)).payment };
    case 'announce':
      return { approved: true, answer: (await processor.announceCredit(request)).payment };
    case 'correctDebit':
      return { approved: true, answer: (await processor.correct({ ...request, direction: CorrectionDirection.DEBIT })).payment };
    case 'correctCredit':
      return { approved: true, answer: (await processor.correct({ ...request, direction: CorrectionDirection.CREDIT })).payment };
  }
};

/** Starts another card service where the one before has died. */
const startAgain = async (): Promise<void> => {
  mortality.spare();
  if (!mortality.isDead()) return;
  mortality.revive();
  await platform.restartCard();
};

/** Sends an event until it is answered; returns whether a request was approved, and the answer. */
const send = async (action: Action, event: object, amount: number) => {
  const answered = await untilKnown(async () => {
    try {
      return await sendOnce(action, event, amount);
    } catch (error) {
      await startAgain();
      throw error;
    }
  });
  await startAgain();
  return answered;
};

/** Of a card service that dies: at the claim of an event, at its reservation or its record, or at what follows. */
const death = fc.record({ atWrite: fc.constantFrom(1, 2, 2, 3, 3, 4), isMade: fc.boolean() });

const step = fc.record({
  payment: fc.nat({ max: 2 }),
  action: fc.constantFrom(...ACTIONS),
  amount: fc.integer({ min: 1, max: 3000 }),
  // Most calls succeed, some never reach the ledger, of some the answer is lost.
  fault: fc.constantFrom(0, 0, 0, 1, 2),
  // One event in six meets a kill.
  death: fc.option(death, { freq: 5, nil: undefined }),
});

/**
 * Kills that random events seldom meet: a request whose claim is its service's last write, events whose record is or is not, a request whose money is
 * held and whose record is missing.
 */
const KILLED: Step[] = [
  { payment: 0, action: 'authorize', amount: 1000, fault: 0, death: { atWrite: 1, isMade: true } },
  { payment: 0, action: 'clear', amount: 700, fault: 0, death: { atWrite: 2, isMade: false } },
  { payment: 0, action: 'refund', amount: 200, fault: 0, death: { atWrite: 2, isMade: true } },
  { payment: 1, action: 'authorize', amount: 900, fault: 0, death: { atWrite: 3, isMade: false } },
];

/** What undoes a withdrawal, in both orders with refunds, over lost answers. */
const UNDONE: Step[] = [
  { payment: 0, action: 'withdraw', amount: 2000, fault: 0, death: undefined },
  { payment: 0, action: 'reverse', amount: 1, fault: 2, death: undefined },
  { payment: 0, action: 'refund', amount: 700, fault: 0, death: undefined },
  { payment: 1, action: 'withdraw', amount: 1000, fault: 0, death: undefined },
  { payment: 1, action: 'refund', amount: 300, fault: 0, death: undefined },
  { payment: 1, action: 'advise', amount: 600, fault: 1, death: undefined },
  { payment: 1, action: 'reversePart', amount: 500, fault: 0, death: { atWrite: 2, isMade: true } },
  { payment: 1, action: 'reverseRefund', amount: 300, fault: 0, death: undefined },
];

it('records, limits and ledger agree with the model after any order of events, with faults and kills in between', {
  timeout: 480_000,
}, async () => {
  const run = async (steps: readonly Step[]): Promise<void> => {
    const { token, cardId } = await holder();
    const cardDatabase = platform.databases.names.find((name) => name.endsWith('_card')) ?? '';
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const models = ids.map(newModel);
    const answers: { action: Action; event: object; amount: number; answer: unknown }[] = [];
    for (const { payment, action, amount, fault: next, death: doomed } of steps) {
      const event = { eventId: randomUUID(), transactionId: ids[payment] ?? '', cardId };
      const before = models[payment] ?? newModel();
      fault = next;
      if (doomed !== undefined) mortality.doom(cardDatabase, doomed);
      const { approved, answer } = await send(action, event, amount);
      fault = 0;
      if ((action === 'authorize' || action === 'withdraw') && approved) expect([before.open, before.ended]).toEqual([false, false]);
      if (action === 'increment' && approved) expect([before.open, before.ended]).toEqual([true, false]);
      models[payment] = apply(before, action, amount, approved);
      answers.push({ action, event, amount, answer });
    }
    // Every event again: the first answer, and nothing changes.
    for (const { action, event, amount, answer } of answers) expect((await send(action, event, amount)).answer).toEqual(answer);

    const sum = (of: (model: Model) => number): number => models.reduce((total, model) => total + of(model), 0);
    const booked = DEPOSIT - sum(({ cleared }) => cleared) + sum(({ refunded }) => refunded);
    platform.clock.advanceSeconds(30);
    const seen = async () => {
      // What the ledger did not do in time is due again seconds later.
      platform.clock.advanceSeconds(1);
      const { data } = await api.as(token).userAccount.getBalances();
      const statement = await api.as(token).userMovements.listStatement();
      return {
        held: Number(data.find(({ currency }) => currency === 'EUR')?.nonSpendable),
        booked: Number(BigInt(statement.data[0]?.balanceAfter ?? '0') / 10n ** 16n),
        used: await network.used(cardId),
      };
    };
    const held = sum((model) => model.held);
    const expected = { held, booked, used: held + sum(({ cleared }) => cleared) };
    await expect.poll(seen, { timeout: 60_000, interval: 200 }).toEqual(expected);
    const found = await api.as(token).cards.listCardTransactions();
    const fields = ['heldAmount', 'clearedAmount', 'refundedAmount', 'pendingCreditAmount'] as const;
    expect(fields.map((field) => found.data.reduce((all, row) => all + Number(row[field]), 0))).toEqual([
      held,
      sum(({ cleared }) => cleared),
      sum(({ refunded }) => refunded),
      sum(({ announced }) => announced),
    ]);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), run), {
    numRuns: 12,
    endOnFailure: true,
    examples: [[KILLED], [UNDONE]],
  });
  expect(mortality.deaths()).toBeGreaterThan(0);
});
