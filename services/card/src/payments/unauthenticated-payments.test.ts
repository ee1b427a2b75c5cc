import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../domain/authentication-claims.ts';
import type { CheckResult } from '../domain/check-request.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { EntryMode, Payment } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import type { Program } from '../domain/program.ts';
import { recordEvent, uncleared } from '../domain/record-event.ts';
import type { Spending } from '../domain/spending.ts';
import { authenticationOfRequest } from '../domain/unauthenticated.ts';
import type { SpendingStore } from '../store/spendings.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { createReservations } from './reservations.ts';
import { createSpendingBook } from './spending-book.ts';

const NOW = new Date('2026-03-25T06:00:00Z');
const FACTS = { processor: 'p', accountId: 'a', userId: 'u', kind: 'payment', createdAt: NOW } as const;
const REMOTE = { payments: 5, amount: 100n };
const program = {
  ...{ limits: {}, accountLimits: { monthly: 10_000n }, counts: {}, authenticationFrom: 30n },
  unauthenticated: { remote: REMOTE, contactless: { payments: 2, amount: 150n, perPayment: 50n } },
} as unknown as Program;

type Request = {
  amount: bigint;
  presents?: boolean;
  entryMode?: EntryMode;
  pin?: CheckResult;
  deviceVerification?: CheckResult;
  increases?: Payment;
  /** The payment of which something was cleared before. */
  follows?: Payment;
  isDeclined?: boolean;
  cardId?: string;
  exemption?: Claim;
  isEstimate?: boolean;
};
type Answer = { decline?: string; payment: Payment };

const createCard = () => {
  const stored = new Map<string, Spending>();
  const spendings = {
    find: async (id: string) => stored.get(id),
    save: async (current: Spending, next: Spending) => {
      if ((stored.get(current.id)?.revision ?? 0) !== current.revision) return false;
      stored.set(next.id, { ...next, revision: current.revision + 1 });
      return true;
    },
  } as unknown as SpendingStore;
  const reservations = createReservations({ book: createSpendingBook({ spendings }), program, runtime: { now: () => NOW } });
  let count = 0;

  /** Decides a request as far as its reservation goes; its decision is on record, and not settled yet. */
  const decide = async ({
    amount,
    presents = false,
    entryMode,
    pin,
    deviceVerification,
    increases,
    follows,
    isDeclined,
    cardId = 'card',
    exemption,
    isEstimate = false,
  }: Request): Promise<Answer> => {
    count += 1;
    const id = `event-${count}`;
    const facts = { ...FACTS, id: `payment-${count}`, cardId };
    const payment = increases ?? follows ?? newPayment(facts);
    const type = increases === undefined ? ('authorization' as const) : ('increment' as const);
    const checks = { ...(pin === undefined ? {} : { pin }), ...(deviceVerification === undefined ? {} : { deviceVerification }) };
    const charged = { entryMode: increases?.entryMode ?? entryMode, atm: false, checks, exemption };
    const authentication = authenticationOfRequest(charged, presents);
    const prepared = { facts: payment, event: { id, type, isEstimate }, claim: { id }, payment, now: NOW, isRemembered: false };
    const decline = await reservations.reserve(prepared as unknown as PreparedEvent, {
      ...{ amount: uncleared(increases === undefined ? payment : newPayment(facts), amount), authentication },
      authenticationFrom: presents ? undefined : program.authenticationFrom,
    });
    const isApproved = decline === undefined && isDeclined !== true;
    const decision = isApproved
      ? { billing: amount, amount, held: amount, authorizationCode: '1' }
      : { decline: 'declined_by_issuer' as const, billing: 0n, amount: 0n, held: 0n };
    const decided = recordEvent(payment, { id, type, at: NOW, decision, ...(entryMode === undefined ? {} : { entryMode }) });
    if (!isApproved) await reservations.release(decided, id);
    return { payment: decided, ...(decline === undefined ? {} : { decline }) };
  };
  const pay = async (request: Request) => {
    const answer = await decide(request);
    if (answer.decline === undefined) await reservations.settle(answer.payment);
    return answer;
  };
  return { stored, reservations, decide, pay };
};

let card: ReturnType<typeof createCard>;
beforeEach(() => {
  card = createCard();
});
const declines = async (requests: readonly Request[]) => {
  const answers = [];
  for (const request of requests) answers.push((await card.pay(request)).decline);
  return answers;
};
const times = (count: number, request: Request): Request[] => Array.from({ length: count }, () => request);
const REQUIRED = 'authentication_required';

describe('remote payments without an authentication', () => {
  it.each([{ entryMode: 'ecommerce' }, { entryMode: 'manual' }, {}] as const)('are five in a row at most: %o', async (how) => {
    expect(await declines(times(6, { ...how, amount: 1n }))).toEqual([...Array<undefined>(5), REQUIRED]);
  });

  it('amount to the limit at most', async () => {
    expect(await declines([...times(3, { amount: 29n }), { amount: 14n }, { amount: 13n }])).toEqual([
      ...Array<undefined>(3),
      REQUIRED,
      undefined,
    ]);
  });

  it('are counted anew after an approved one with an authentication, not after a declined one', async () => {
    await declines(times(5, { amount: 1n }));
    await card.pay({ amount: 500n, presents: true, isDeclined: true });
    expect(await declines([{ amount: 1n }])).toEqual([REQUIRED]);
    await card.pay({ amount: 500n, presents: true });
    expect(await declines(times(6, { amount: 1n }))).toEqual([...Array<undefined>(5), REQUIRED]);
  });

  it('are counted anew after 3-D Secure, not after the PIN at a terminal', async () => {
    await declines([...times(5, { amount: 1n }), { amount: 1n, entryMode: 'chip', pin: 'correct' }]);
    expect(await declines([{ amount: 1n }])).toEqual([REQUIRED]);
  });

  it('count what increases them, and no increase authenticates', async () => {
    const { payment } = await card.pay({ amount: 20n, presents: true, entryMode: 'ecommerce' });
    await declines(times(4, { amount: 20n, entryMode: 'ecommerce' }));
    // It is covered by the authentication of its payment, which counts once.
    expect((await card.pay({ amount: 50n, presents: true, increases: payment })).decline).toBeUndefined();
    expect(await declines([{ amount: 21n }])).toEqual([REQUIRED]);
    const { payment: small } = await card.pay({ amount: 10n, entryMode: 'ecommerce' });
    expect((await card.pay({ amount: 11n, increases: small })).decline).toBe(REQUIRED);
    expect((await card.pay({ amount: 10n, increases: small })).decline).toBeUndefined();
    expect(await declines([{ amount: 1n }])).toEqual([REQUIRED]);
  });

  it('are not those that merchants initiate after an authenticated one, but others of theirs', async () => {
    const initiated = { amount: 1n, entryMode: 'merchant_initiated' } as const;
    expect(await declines(times(9, { ...initiated, exemption: 'merchant_initiated' }))).toEqual(Array(9).fill(undefined));
    expect(await declines(times(6, initiated))).toEqual([...Array<undefined>(5), REQUIRED]);
  });

  it('include those that the network has approved in our place, once each', async () => {
    const stoodIn = (id: string, advice: Partial<PaymentEvent> = {}) =>
      recordEvent(newPayment({ ...FACTS, id, cardId: 'card', entryMode: 'ecommerce' }), {
        ...{ id: `advice-${id}`, type: 'advice', at: NOW, amount: 1n, currency: 'EUR', billing: 1n, ...advice },
      });
    const settle = async (payment: Payment) => {
      for (let time = 0; time < 2; time += 1) await card.reservations.settle(payment);
    };
    for (const id of ['1', '2', '3']) await settle(stoodIn(id));
    // A payment that we had approved before, or that is older than what the limits remember, counts no more.
    await settle(recordEvent((await card.pay({ amount: 1n })).payment, { id: 'again', type: 'advice', at: NOW, billing: 2n }));
    await settle(stoodIn('old', { at: new Date(NOW.getTime() - 60 * 86_400_000) }));
    expect(await declines(times(2, { amount: 1n }))).toEqual([undefined, REQUIRED]);
  });

  it('include forced and offline clearings, but not once more the authorization that comes after its clearing', async () => {
    const cleared = (id: string, type: 'clearing' | 'force_post', billing = 1n) =>
      recordEvent(newPayment({ ...FACTS, id, cardId: 'card', entryMode: 'ecommerce' }), { id: `clearing-${id}`, type, at: NOW, billing });
    const offline = cleared('1', 'clearing', 20n);
    for (const payment of [offline, cleared('2', 'force_post'), (await card.pay({ amount: 1n })).payment])
      await card.reservations.settle(payment);
    const late = await card.decide({ amount: 30n, follows: offline });
    await card.reservations.settle(late.payment);
    expect(card.stored.get('card')?.unauthenticated?.remote).toMatchObject({ payments: 3, amount: 32n });
    expect(await declines(times(3, { amount: 1n }))).toEqual([undefined, undefined, REQUIRED]);
  });

  it('count once where a clearing is recorded while its authorization is decided', async () => {
    const { payment: decided } = await card.decide({ amount: 30n });
    const offline = recordEvent(newPayment({ ...FACTS, id: decided.id, cardId: 'card', entryMode: 'ecommerce' }), {
      ...{ id: 'clearing', type: 'clearing', at: NOW, billing: 20n },
    });
    for (const payment of [offline, decided.events.reduce(recordEvent, offline)]) await card.reservations.settle(payment);
    expect(card.stored.get('card')?.unauthenticated?.remote).toMatchObject({ payments: 1, amount: 30n });
  });

  it('are no clearings that may belong to several payments, which have counted', async () => {
    const facts = { ...FACTS, id: '1', cardId: 'card', entryMode: 'ecommerce' } as const;
    const clearing = { id: 'clearing', type: 'clearing', at: NOW, billing: 20n, candidates: ['2', '3'] } as const;
    await card.reservations.settle(recordEvent(newPayment(facts), clearing));
    expect(card.stored.get('card')?.unauthenticated).toBeUndefined();
  });

  it('are no clearings without an authorization whose entry mode is not known, that a merchant initiates, or of fares', async () => {
    const fare = { merchant: { categoryCode: '4111' } } as const;
    for (const how of [{}, { entryMode: 'merchant_initiated' }, { entryMode: 'contactless', ...fare }] as const)
      for (const id of ['1', '2', '3', '4', '5'].map((number) => `${how.entryMode} ${number}`))
        await card.reservations.settle(
          recordEvent(newPayment({ ...FACTS, id, cardId: 'card', ...how }), { id, type: 'clearing', at: NOW, billing: 1n }),
        );
    expect(card.stored.get('card')?.unauthenticated).toBeUndefined();
  });

  it('are counted anew after the authentication of an authorization that comes after its clearing', async () => {
    const facts = { ...FACTS, id: '1', cardId: 'card', entryMode: 'ecommerce' } as const;
    const offline = recordEvent(newPayment(facts), { id: 'clearing', type: 'clearing', at: NOW, billing: 100n });
    await card.reservations.settle(offline);
    expect(await declines([{ amount: 1n }])).toEqual([REQUIRED]);
    await card.reservations.settle((await card.decide({ amount: 100n, presents: true, follows: offline })).payment);
    expect(await declines([{ amount: 1n }])).toEqual([undefined]);
  });

  it('of which many are decided at once are within the limits together', async () => {
    const answers = await Promise.all(times(20, { amount: 1n }).map(card.decide));
    expect(answers.filter(({ decline }) => decline === undefined)).toHaveLength(REMOTE.payments);
  });
});

describe('contactless payments without a PIN', () => {
  it('are counted until the PIN is entered', async () => {
    const tap = { amount: 1n, entryMode: 'contactless' } as const;
    expect(await declines(times(3, tap))).toEqual([undefined, undefined, 'contactless_limit_exceeded']);
    expect(await declines([{ ...tap, pin: 'correct' }, tap, tap, tap])).toEqual([
      undefined,
      undefined,
      undefined,
      'contactless_limit_exceeded',
    ]);
    expect(await declines([{ amount: 1n, entryMode: 'chip', pin: 'correct' }, tap])).toEqual([undefined, undefined]);
    expect(await declines([{ amount: 1n, presents: true }, tap, tap])).toEqual([undefined, undefined, 'contactless_limit_exceeded']);
    const byDevice = { ...tap, deviceVerification: 'correct' } as const;
    expect(await declines([byDevice, tap, tap, { ...byDevice, deviceVerification: 'incorrect' }])).toEqual([
      ...[undefined, undefined, undefined, 'contactless_limit_exceeded'],
    ]);
  });

  it('may hold what a program estimates for fuel', async () => {
    const pump = { amount: 100n, entryMode: 'contactless' } as const;
    expect(await declines([pump, { ...pump, isEstimate: true }])).toEqual(['contactless_limit_exceeded', undefined]);
  });

  it('are not above the limit for one of them', async () => {
    const tap = { amount: 51n, entryMode: 'contactless' } as const;
    expect(await declines([tap, { ...tap, amount: 50n }])).toEqual(['contactless_limit_exceeded', undefined]);
    expect(
      await declines([
        { ...tap, pin: 'correct' },
        { ...tap, deviceVerification: 'correct' },
      ]),
    ).toEqual([undefined, undefined]);
  });
});

describe('several cards of an account', () => {
  it('have one row together, which each of them ends for the account and not for another card', async () => {
    const by = (cardId: string, more: Partial<Request> = {}): Request => ({ amount: 1n, cardId, ...more });
    expect(await declines(['a', 'b', 'c', 'd', 'e', 'f'].map((cardId) => by(cardId)))).toEqual([...Array<undefined>(5), REQUIRED]);
    await card.pay(by('b', { presents: true }));
    expect(await declines(times(5, by('a')))).toEqual([...Array<undefined>(4), REQUIRED]);
    const tap = { entryMode: 'contactless' } as const;
    expect(await declines([by('a', tap), by('b', tap), by('c', tap)])).toEqual([undefined, undefined, 'contactless_limit_exceeded']);
  });
});

const steps = fc.array(
  fc.record({
    amount: fc.bigInt({ min: 1n, max: 29n }),
    presents: fc.constantFrom(false, false, false, false, true),
    isDeclined: fc.constantFrom(false, false, true),
    /** When the limits hear of an approval. */
    settling: fc.constantFrom('now', 'now', 'at the end'),
  }),
  { maxLength: 40 },
);

it('a row of payments since the last authentication never exceeds the limits, in whatever order decisions are settled', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, isPrompt) => {
      const { stored, reservations, decide } = createCard();
      let row = { payments: 0, amount: 0n };
      const late: Payment[] = [];
      for (const { settling, ...step } of taken) {
        const { decline, payment } = await decide({ ...step, entryMode: 'ecommerce' });
        if (decline !== undefined || step.isDeclined) continue;
        row = step.presents ? { payments: 0, amount: 0n } : { payments: row.payments + 1, amount: row.amount + step.amount };
        expect(row.payments).toBeLessThanOrEqual(REMOTE.payments);
        expect(row.amount).toBeLessThanOrEqual(REMOTE.amount);
        if (isPrompt || settling === 'now') await reservations.settle(payment);
        else late.push(payment);
      }
      for (const payment of late.toReversed()) await reservations.settle(payment);
      for (const payment of late) await reservations.settle(payment);
      const { payments = 0, amount = 0n, since = { payments: 0, amount: 0n } } = stored.get('card')?.unauthenticated?.remote ?? {};
      const counted = { payments: payments - since.payments, amount: amount - since.amount };
      if (isPrompt) expect(counted).toEqual(row);
      expect(counted.payments).toBeGreaterThanOrEqual(row.payments);
      expect(counted.amount).toBeGreaterThanOrEqual(row.amount);
    }),
    { numRuns: 300 },
  );
});
