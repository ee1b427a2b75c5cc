import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { raisedBy, resolves } from './exception.ts';
import { newPayment } from './new-payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

let events = 0;
const event = (type: PaymentEventType, more: Partial<PaymentEvent> = {}): PaymentEvent => {
  events += 1;
  return { id: `${events}`, type, at: PAYMENT_AT, ...more };
};
const authorized = (billing: bigint) =>
  event('authorization', { amount: billing, billing, decision: { billing, amount: billing, held: billing, authorizationCode: '123456' } });
const cleared = (billing: bigint, more: Partial<PaymentEvent> = {}) => event('clearing', { amount: billing, billing, ...more });
const booked = (billing: bigint) => ({ ...authorized(billing), singleMessage: true });
const approvedElsewhere = (billing: bigint) => event('advice', { amount: billing, billing, singleMessage: true });
const approved = { billing: 100n, amount: 100n, held: 0n };
const declined = { ...approved, billing: 0n, decline: 'insufficient_funds' } as const;
const asked = (decision: NonNullable<PaymentEvent['decision']>) => event('credit_request', { amount: 100n, billing: 100n, decision });
const credited = (billing: bigint) => event('credit', { amount: billing, billing });
const reversed = (billing: bigint) => event('reversal', { amount: billing, billing });
const refunded = (billing: bigint) => event('refund', { amount: billing, billing });

/** The exceptions that the last of some events raises. */
const raised = (...all: readonly PaymentEvent[]) => {
  const [before, last] = [all.slice(0, -1).reduce(recordEvent, newPayment(PAYMENT_FACTS)), all.at(-1)];
  return last === undefined ? [] : raisedBy(before, recordEvent(before, last));
};

describe('an event of a payment', () => {
  const arn = { network: { acquirerReference: '1'.repeat(23) } };
  it.each<[string, readonly PaymentEvent[], object[]]>([
    ['a clearing of what was authorized', [authorized(100n), cleared(100n)], []],
    ['a clearing with a tip', [authorized(100n), cleared(120n)], []],
    ['a clearing above the tolerance', [authorized(100n), cleared(121n, { overTolerance: 1n })], [{ kind: 'over_clearing', amount: 1n }]],
    ['a clearing after the last one', [authorized(100n), cleared(100n), cleared(30n)], [{ kind: 'over_clearing', amount: 30n }]],
    ['parts of what was authorized', [authorized(100n), cleared(60n, { moreExpected: true }), cleared(40n)], []],
    ['the same clearing again', [authorized(100n), cleared(100n, arn), cleared(100n, arn)], [{ kind: 'duplicate', amount: 100n }]],
    ['a clearing without an authorization', [cleared(50n)], [{ kind: 'force_post', amount: 50n }]],
    ['a force post', [authorized(100n), event('force_post', { billing: 70n })], [{ kind: 'force_post', amount: 70n }]],
    ['a clearing after the expiry', [authorized(100n), event('expiry'), cleared(100n)], [{ kind: 'late_clearing', amount: 100n }]],
    ['a clearing after the reversal', [authorized(100n), event('reversal'), cleared(90n)], [{ kind: 'late_clearing', amount: 90n }]],
    ['the same clearing again, by its mark', [authorized(100n), cleared(100n), cleared(100n, { network: { repeat: true } })], []],
    ['a refund', [authorized(100n), cleared(100n), refunded(100n)], []],
    ['a refund above the purchase', [authorized(100n), cleared(100n), refunded(130n)], [{ kind: 'refund_above_purchase', amount: 30n }]],
    ['refunds above it', [cleared(100n), refunded(90n), refunded(30n)], [{ kind: 'refund_above_purchase', amount: 20n }]],
    ['a refund above what is held', [authorized(100n), refunded(130n)], [{ kind: 'refund_above_purchase', amount: 30n }]],
    ['a refund of what is held', [authorized(100n), refunded(100n)], []],
    ['a refund without a purchase', [refunded(30n)], []],
    ['the record of a single message', [booked(100n), cleared(100n)], []],
    ['a clearing above a single message', [booked(100n), cleared(130n)], [{ kind: 'over_clearing', amount: 30n }]],
    ['an approval after the reversal', [event('reversal'), approvedElsewhere(100n)], [{ kind: 'late_clearing', amount: 100n }]],
    ['a reversal after the clearing', [authorized(100n), cleared(100n), event('reversal')], [{ kind: 'late_clearing', amount: 100n }]],
    ['a reversal of the rest after it', [authorized(100n), cleared(60n), reversed(40n)], []],
    ['one of more than that', [authorized(100n), cleared(60n), reversed(70n)], [{ kind: 'late_clearing', amount: 30n }]],
    ['one of what was refunded', [authorized(100n), cleared(100n), refunded(100n), event('reversal')], []],
    ['a reversal while more is held', [authorized(100n), cleared(60n, { moreExpected: true }), event('reversal')], []],
    ['an approval elsewhere', [approvedElsewhere(100n)], []],
    ['a credit that was declined', [asked(declined), credited(100n)], [{ kind: 'force_post', amount: 100n }]],
    ['a credit that was approved the second time', [asked(declined), asked(approved), credited(100n)], []],
    ['a credit that nobody was asked about', [credited(100n)], []],
    ...(['reversal', 'advice', 'expiry'] as const).map((type): [string, readonly PaymentEvent[], object[]] => [
      `a ${type} that fits several payments`,
      [event(type, { candidates: ['one', 'other'], billing: 100n })],
      [{ kind: 'ambiguous', amount: 100n }],
    ]),
    ...(['clearing', 'second_presentment'] as const).map((type): [string, readonly PaymentEvent[], object[]] => [
      `a ${type} that does`,
      [event(type, { candidates: ['one', 'other'], billing: 100n })],
      [{ kind: 'force_post', amount: 100n }],
    ]),
    [
      'a second presentment without a dispute',
      [cleared(100n), event('second_presentment', { billing: 100n })],
      [{ kind: 'force_post', amount: 100n }],
    ],
  ])('%s raises what it should', (_, all, expected) => {
    expect(raised(...all)).toEqual(expected);
  });
});

describe('an adjustment resolves an exception', () => {
  const suspended = -50n;
  const exception = { exceptionId: 'exception', token: 'EURe', suspended };
  const charge = { debit: 'account', credit: 'suspense', token: 'EURe', amount: 50n };
  const adjustment = { isBooked: true, externalReference: 'exception', transfers: [charge] };

  it('that it is about and whose amount it takes out of suspense', () => {
    expect(resolves(adjustment, exception)).toBe(true);
    const refund = { ...charge, debit: 'suspense', credit: 'account' };
    expect(resolves({ ...adjustment, transfers: [refund] }, { ...exception, suspended: 50n })).toBe(true);
    expect(resolves({ ...adjustment, transfers: [] }, { ...exception, suspended: 0n })).toBe(true);
  });

  it.each([
    ['is not booked', { isBooked: false }],
    ['is about something else', { externalReference: 'other' }],
    ['moves another amount', { transfers: [{ ...charge, amount: 49n }] }],
    ['moves another token', { transfers: [{ ...charge, token: 'GBPe' }] }],
    ['moves it the other way', { transfers: [{ ...charge, debit: 'suspense', credit: 'account' }] }],
    ['moves it back and forth', { transfers: [charge, { ...charge, debit: 'suspense', credit: 'account' }] }],
  ])('unless it %s', (_, change) => {
    expect(resolves({ ...adjustment, ...change }, exception)).toBe(false);
  });
});
