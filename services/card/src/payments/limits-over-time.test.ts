import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { type Period, periodStart } from '../domain/periods.ts';
import type { Program } from '../domain/program.ts';
import { recordEvent } from '../domain/record-event.ts';
import { accountDocument, newSpending, type Spending, usedOf } from '../domain/spending.ts';
import type { SpendingStore } from '../store/spendings.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { createReservations } from './reservations.ts';
import { createSpendingBook } from './spending-book.ts';

const CARDS = ['card-1', 'card-2', 'card-3'] as const;
const ACCOUNT = 'account';
const START = new Date('2026-03-25T06:00:00Z').getTime();
const HOUR_MS = 3_600_000;
const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' } as const satisfies Record<string, Period>;
const NAMES = Object.keys(PERIODS) as (keyof typeof PERIODS)[];
const OF_CARD = { daily: 100n, weekly: 250n, monthly: 400n };
const OF_ACCOUNT = { daily: 150n, weekly: 300n, monthly: 450n };
/** A card for single use since the start. */
const SINGLE = 'card-3';
const program = { limits: OF_CARD, accountLimits: OF_ACCOUNT, counts: {}, unauthenticated: {} } as unknown as Program;

/** A store that several processes share. */
const createStore = () => {
  const single = { ...newSpending(SINGLE), controls: { singleUseFrom: new Date(START) }, revision: 1 };
  const stored = new Map<string, Spending>([[SINGLE, single]]);
  const find = async (id: string) => stored.get(id);
  const save = async (current: Spending, next: Spending) => {
    if ((stored.get(current.id)?.revision ?? 0) !== current.revision) return false;
    stored.set(next.id, { ...next, revision: current.revision + 1 });
    return true;
  };
  return { stored, spendings: { find, save } as unknown as SpendingStore };
};

/** The amount that a request has added to its payment, and its rest: a second, smaller reading of the rules. */
type Added = { cardId: string; at: number; left: bigint };

const giveBack = (added: Added[], amount: bigint): void => {
  let rest = amount;
  for (const one of added.toReversed()) {
    const taken = one.left < rest ? one.left : rest;
    one.left -= taken;
    rest -= taken;
  }
};

const ACTIONS = ['authorize', 'authorize', 'increment', 'increment', 'reverse', 'reversePart', 'expire', 'clear'] as const;
const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS),
    card: fc.nat(CARDS.length - 1),
    payment: fc.nat(7),
    amount: fc.bigInt({ min: 1n, max: 60n }),
    hours: fc.constantFrom(0, 0, 1, 7, 24, 24 * 6),
    /** The ledger declines what the limits permit. */
    isDeclined: fc.constantFrom(false, false, false, true),
    process: fc.nat(1),
    /** When the limits hear of an approval. */
    settling: fc.constantFrom('now', 'later', 'never'),
  }),
  { maxLength: 60 },
);

it('no card and no account exceeds a limit in any period, what counts is the sum of the requests, and a card for single use approves one payment', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { stored, spendings } = createStore();
      let now = new Date(START);
      const processes = [0, 1].map(() =>
        createReservations({ book: createSpendingBook({ spendings }), program, runtime: { now: () => now } }),
      );
      const payments: { payment: Payment; added: Added[] }[] = [];
      const total = (isCounted: (one: Added) => boolean): bigint =>
        payments.reduce((sum, { added }) => added.reduce((inner, one) => (isCounted(one) ? inner + one.left : inner), sum), 0n);

      for (const [index, step] of taken.entries()) {
        now = new Date(now.getTime() + step.hours * HOUR_MS);
        const reservations = processes[step.process] as (typeof processes)[number];
        const isNew = step.action === 'authorize';
        const facts = { id: `payment-${index}`, processor: 'p', accountId: ACCOUNT, userId: 'u', kind: 'payment', createdAt: now } as const;
        const target = isNew
          ? { payment: newPayment({ ...facts, cardId: CARDS[step.card] as string }), added: [] }
          : payments[step.payment % Math.max(1, payments.length)];
        if (target === undefined) continue;
        const { payment, added } = target;
        const base = { id: `event-${index}`, at: now } as const;
        const record = (event: PaymentEvent) => {
          target.payment = recordEvent(payment, event);
          return target.payment;
        };
        if (isNew || step.action === 'increment') {
          if (!isNew && payment.ended !== undefined) continue;
          const type = isNew ? ('authorization' as const) : ('increment' as const);
          const prepared = { facts: payment, event: { ...base, type }, claim: { id: base.id }, payment, now, isRemembered: false };
          const decline = await reservations.reserve(prepared as unknown as PreparedEvent, {
            amount: step.amount,
            authentication: undefined,
          });
          expect(decline === 'card_used').toBe(
            payment.cardId === SINGLE && payments.some((one) => one.payment.cardId === SINGLE && one.payment.id !== payment.id),
          );
          if (decline !== undefined || step.isDeclined) {
            const decision = { decline: 'declined_by_issuer', billing: 0n, amount: 0n, held: 0n } as const;
            await reservations.release(record({ ...base, type, decision }), base.id);
          } else {
            const decision = { billing: step.amount, amount: step.amount, held: step.amount, authorizationCode: '1' };
            const approved = record({ ...base, type, decision });
            added.push({ cardId: payment.cardId, at: now.getTime(), left: step.amount });
            if (isNew) payments.push(target);
            if (step.settling === 'now') await reservations.settle(approved);
            if (step.settling === 'later') reservations.settleLater(approved);
          }
        } else {
          const type = step.action === 'expire' ? 'expiry' : step.action === 'clear' ? 'clearing' : 'reversal';
          const isPart = step.action === 'reversePart' || step.action === 'clear';
          const amount = step.amount < payment.held ? step.amount : payment.held;
          const left = type === 'clearing' ? payment.held - amount : isPart ? amount : payment.held;
          if (payment.ended !== undefined) continue;
          giveBack(added, left);
          await reservations.settle(record({ ...base, type, ...(isPart ? { billing: amount } : {}) }));
        }

        for (const name of NAMES) {
          const from = periodStart(PERIODS[name], now).getTime();
          for (const cardId of CARDS) {
            const sum = total((one) => one.cardId === cardId && one.at >= from);
            expect(sum).toBeLessThanOrEqual(OF_CARD[name]);
            expect(usedOf(stored.get(cardId) ?? newSpending(cardId), name, now)).toBe(sum);
          }
          const sum = total((one) => one.at >= from);
          expect(sum).toBeLessThanOrEqual(OF_ACCOUNT[name]);
          expect(usedOf(stored.get(accountDocument(ACCOUNT)) ?? newSpending(ACCOUNT), name, now)).toBe(sum);
        }
      }
    }),
    { numRuns: 300 },
  );
});
