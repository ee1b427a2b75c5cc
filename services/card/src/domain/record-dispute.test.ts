import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { disputesOf, networkReasonOf, newlyDisputableOf, stageOf } from './dispute.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

let events = 0;
const event = (type: PaymentEventType, more: Partial<PaymentEvent> = {}): PaymentEvent => {
  events += 1;
  return { id: `${events}`, type, at: PAYMENT_AT, ...more };
};
const recorded = (...all: readonly PaymentEvent[]): Payment => all.reduce(recordEvent, newPayment(PAYMENT_FACTS));

const cleared = (billing: bigint) => event('clearing', { billing, moreExpected: true });
const opened = (id: string, billing?: bigint) =>
  event('dispute_opened', { dispute: { id, reason: 'other', provisionalCredit: 0n }, ...(billing === undefined ? {} : { billing }) });
const step = (type: PaymentEventType, id: string, billing?: bigint) =>
  event(type, { dispute: { id }, ...(billing === undefined ? {} : { billing }) });

const shown = (payment: Payment) =>
  disputesOf(payment).map((one) => ({ id: one.id, stage: stageOf(one), amount: one.amount, credited: one.credited }));

describe('disputes of one payment', () => {
  it('share what was cleared, and what is cleared later can be disputed again', () => {
    const payment = recorded(cleared(600n), opened('a', 200n), opened('b'), opened('c'), cleared(300n), opened('d', 301n), opened('e'));
    expect(shown(payment)).toEqual([
      { id: 'a', stage: 'opened', amount: 200n, credited: 0n },
      { id: 'b', stage: 'opened', amount: 400n, credited: 0n },
      { id: 'e', stage: 'opened', amount: 300n, credited: 0n },
    ]);
    expect(newlyDisputableOf(payment)).toBe(0n);
  });

  it('end for themselves', () => {
    const payment = recorded(cleared(600n), opened('a', 200n), opened('b'), step('dispute_won', 'a'), step('dispute_lost', 'b'));
    expect(shown(payment)).toMatchObject([
      { stage: 'won', credited: 200n },
      { stage: 'lost', credited: 0n },
    ]);
  });

  it('leave what was given up to be disputed again, and what was lost not', () => {
    const withdrawn = recorded(cleared(600n), opened('a'), step('dispute_withdrawn', 'a'));
    expect(newlyDisputableOf(withdrawn)).toBe(600n);
    expect(newlyDisputableOf(recorded(cleared(600n), opened('a'), step('dispute_lost', 'a')))).toBe(0n);
  });

  it('that were lost because the merchant has refunded leave the rest to be disputed', () => {
    const lost = [opened('a', 400n), step('dispute_lost', 'a')];
    const refund = event('refund', { billing: 400n });
    expect(newlyDisputableOf(recorded(cleared(600n), ...lost, refund))).toBe(200n);
    expect(newlyDisputableOf(recorded(cleared(600n), opened('a', 400n), refund))).toBe(0n);
    expect(newlyDisputableOf(recorded(cleared(600n), ...lost, refund, opened('b')))).toBe(0n);
  });

  it('give way to refunds one after the other, and never to less than nothing', () => {
    const won = [cleared(600n), opened('a', 200n), opened('b'), step('dispute_won', 'a'), step('dispute_won', 'b')];
    expect(shown(recorded(...won, event('refund', { billing: 300n })))).toMatchObject([{ credited: 200n }, { credited: 100n }]);
    expect(shown(recorded(...won, event('refund', { billing: 500n })))).toMatchObject([{ credited: 100n }, { credited: 0n }]);
    expect(shown(recorded(...won, event('refund', { billing: 700n })))).toMatchObject([{ credited: 0n }, { credited: 0n }]);
  });
});

describe('a dispute in stages', () => {
  const stages = ['dispute_chargeback', 'dispute_representment', 'dispute_pre_arbitration', 'dispute_arbitration'] as const;

  it('is at the latest stage, in whatever order they arrive', () => {
    const inOrder = stages.map((type) => step(type, 'a'));
    for (const steps of [inOrder, inOrder.toReversed()]) {
      expect(shown(recorded(cleared(500n), opened('a'), ...steps))).toMatchObject([{ stage: 'arbitration' }]);
    }
  });

  it('credits the part that was won', () => {
    expect(shown(recorded(cleared(500n), opened('a'), step('dispute_won', 'a', 120n)))).toMatchObject([{ credited: 120n }]);
  });

  it('that was won costs the cardholder nothing when the acquirer presents the payment again', () => {
    const presented = [cleared(500n), opened('a'), step('dispute_chargeback', 'a'), event('second_presentment', { billing: 500n })];
    expect(recorded(...presented)).toMatchObject({ cleared: 500n });
    expect(recorded(...presented).events.at(-1)?.dispute).toEqual({ id: 'a', actor: PAYMENT_FACTS.processor });
    expect(shown(recorded(...presented))).toMatchObject([{ stage: 'representment' }]);
    expect(shown(recorded(...presented, step('dispute_won', 'a')))).toMatchObject([{ stage: 'won', credited: 500n }]);
  });

  it('is contested by its amount, where several can be', () => {
    const both = [cleared(600n), opened('a', 200n), opened('b'), step('dispute_chargeback', 'a'), step('dispute_chargeback', 'b')];
    const stages = (billing: bigint) => shown(recorded(...both, event('second_presentment', { billing }))).map(({ stage }) => stage);
    expect(stages(200n)).toEqual(['representment', 'chargeback']);
    expect(stages(400n)).toEqual(['chargeback', 'representment']);
    expect(stages(150n)).toEqual(['chargeback', 'representment']);
  });

  it('is contested by what was billed for it, also when it is presented again at another rate', () => {
    const foreign = (type: PaymentEventType, amount: bigint, billing: bigint, acquirerReference?: string) =>
      event(type, { amount, currency: 'USD', billing, moreExpected: true, ...(acquirerReference && { network: { acquirerReference } }) });
    const [one, two] = ['1'.repeat(23), '2'.repeat(23)];
    const both = [foreign('clearing', 60n, 54n, one), foreign('clearing', 40n, 36n, two), opened('a', 54n), opened('b', 36n)];
    const stages = (again: PaymentEvent) => shown(recorded(...both, again)).map(({ stage }) => stage);
    expect(stages(foreign('second_presentment', 60n, 55n))).toEqual(['representment', 'opened']);
    expect(stages(foreign('second_presentment', 50n, 46n, one))).toEqual(['representment', 'opened']);
  });

  it('that was won keeps its credit while the acquirer contests it', () => {
    const won = [cleared(500n), opened('a'), step('dispute_chargeback', 'a'), step('dispute_won', 'a', 400n)];
    const contested = [...won, event('second_presentment')];
    expect(shown(recorded(...contested))).toMatchObject([{ stage: 'representment', credited: 400n }]);
    expect(shown(recorded(...contested, step('dispute_won', 'a')))).toMatchObject([{ stage: 'won', credited: 500n }]);
    expect(shown(recorded(...contested, step('dispute_lost', 'a')))).toMatchObject([{ stage: 'lost', credited: 0n }]);
  });

  it('owes nothing to the account of disputes once it is won, and owes it what is contested again', () => {
    const owed = (...all: readonly PaymentEvent[]) =>
      recorded(...all).effects.reduce((sum, effect) => {
        if (effect.kind === 'credit' && effect.from === 'disputes') return sum + effect.amount;
        if (effect.kind === 'debit' && effect.to === 'disputes') return sum - effect.amount;
        if (effect.kind !== 'move') return sum;
        return effect.to === 'disputes' ? sum - effect.amount : sum + effect.amount;
      }, 0n);
    const provisional = event('dispute_opened', { dispute: { id: 'a', reason: 'other', provisionalCredit: 200n } });
    const won = [cleared(500n), provisional, step('dispute_chargeback', 'a'), step('dispute_won', 'a', 400n)];
    expect(owed(...won.slice(0, 3))).toBe(200n);
    expect(owed(...won)).toBe(0n);
    expect(owed(...won, event('refund', { billing: 300n }))).toBe(0n);
    expect(owed(...won, event('second_presentment'))).toBe(400n);
    expect(owed(...won, event('second_presentment'), step('dispute_won', 'a'))).toBe(0n);
    expect(owed(...won, event('second_presentment'), step('dispute_lost', 'a'))).toBe(0n);
  });

  it('that was lost can be won in arbitration, and is not contested by a late representment', () => {
    const lost = [cleared(500n), opened('a'), step('dispute_chargeback', 'a'), step('dispute_lost', 'a')];
    expect(shown(recorded(...lost, event('second_presentment'), step('dispute_representment', 'a')))).toMatchObject([{ stage: 'lost' }]);
    expect(shown(recorded(...lost, step('dispute_won', 'a')))).toMatchObject([{ stage: 'lost', credited: 0n }]);
    const contested = [...lost, step('dispute_arbitration', 'a')];
    expect(shown(recorded(...contested))).toMatchObject([{ stage: 'arbitration', credited: 0n }]);
    expect(shown(recorded(...contested, step('dispute_won', 'a')))).toMatchObject([{ stage: 'won', credited: 500n }]);
  });

  it('that was given up stays so', () => {
    const withdrawn = [cleared(500n), opened('a'), step('dispute_withdrawn', 'a')];
    const payment = recorded(...withdrawn, step('dispute_arbitration', 'a'), step('dispute_won', 'a'));
    expect(shown(payment)).toMatchObject([{ stage: 'withdrawn', credited: 0n }]);
  });

  it('knows the case, the reason and the deadline that the latest stage names', () => {
    const told = { id: 'a', networkCaseId: 'case', networkReasonCode: '10.4', deadline: PAYMENT_AT };
    const charged = recorded(cleared(500n), opened('a'), event('dispute_chargeback', { dispute: told }));
    expect(charged.dispute).toMatchObject(told);
    const later = recordEvent(charged, event('dispute_arbitration', { dispute: { id: 'a' } }));
    expect(later.dispute).toMatchObject({ networkCaseId: 'case', networkReasonCode: '10.4' });
    expect(later.dispute).not.toHaveProperty('deadline');
    const outdated = recordEvent(later, event('dispute_representment', { dispute: { ...told, networkCaseId: 'other' } }));
    expect(outdated.dispute).toMatchObject({ networkCaseId: 'case' });
    expect(outdated.dispute).not.toHaveProperty('deadline');
  });
});

it('an outcome of an earlier release, which names no dispute, is about the only one', () => {
  const stored = { id: 'a', reason: 'fraud', amount: 900n, provisionalCredit: 900n, credited: 900n, status: 'submitted' as const };
  const former: Payment = { ...newPayment(PAYMENT_FACTS), cleared: 900n, dispute: stored };
  expect(recordEvent(former, event('dispute_lost')).dispute).toMatchObject({ status: 'lost', credited: 0n });
});

it.each([
  ['visa', 'fraud', 'ecommerce', '10.4'],
  ['visa', 'fraud', 'chip', '10.3'],
  ['mastercard', 'fraud', 'ecommerce', '4837'],
  ['mastercard', 'duplicate', 'chip', '4834'],
  ['visa', 'other', 'chip', undefined],
  ['unionpay', 'fraud', 'chip', undefined],
] as const)('%s calls %s of a payment by %s %s', (network, reason, entryMode, code) => {
  expect(networkReasonOf(network, reason, { entryMode })).toBe(code);
});
