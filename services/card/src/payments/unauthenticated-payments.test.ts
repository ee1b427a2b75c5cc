import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckResult } from '../domain/check-request.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { EntryMode, Payment } from '../domain/payment.ts';
import type { Program } from '../domain/program.ts';
import { recordEvent } from '../domain/record-event.ts';
import type { Spending } from '../domain/spending.ts';
import { authenticationOfRequest } from '../domain/unauthenticated.ts';
import type { SpendingStore } from '../store/spendings.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { createReservations } from './reservations.ts';
import { createSpendingBook } from './spending-book.ts';

const NOW = new Date('2026-03-25T06:00:00Z');
const REMOTE = { payments: 5, amount: 100n };
const program = {
  ...{ limits: {}, accountLimits: { monthly: 10_000n }, counts: {}, authenticationFrom: 30n },
  unauthenticated: { remote: REMOTE, contactless: { payments: 2, amount: 150n } },
} as unknown as Program;

type Request = { amount: bigint; presents?: boolean; entryMode?: EntryMode; pin?: CheckResult; increases?: Payment; isDeclined?: boolean };
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
  const decide = async ({ amount, presents = false, entryMode, pin, increases, isDeclined }: Request): Promise<Answer> => {
    count += 1;
    const id = `event-${count}`;
    const facts = {
      id: `payment-${count}`,
      processor: 'p',
      cardId: 'card',
      accountId: 'a',
      userId: 'u',
      kind: 'payment',
      createdAt: NOW,
    } as const;
    const payment = increases ?? newPayment(facts);
    const type = increases === undefined ? ('authorization' as const) : ('increment' as const);
    const charged = { entryMode: increases?.entryMode ?? entryMode, atm: false, checks: pin === undefined ? {} : { pin } };
    const authentication = authenticationOfRequest(charged, presents);
    const prepared = { facts: payment, event: { id, type }, claim: { id }, payment, now: NOW, isRemembered: false };
    const decline = await reservations.reserve(prepared as unknown as PreparedEvent, {
      ...{ amount, authentication },
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

  it('are not those that merchants initiate', async () => {
    expect(await declines(times(9, { amount: 29n, entryMode: 'merchant_initiated' }))).toEqual(Array(9).fill(undefined));
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
