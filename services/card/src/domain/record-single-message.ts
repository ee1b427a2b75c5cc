import { atMost, type Change } from './event-change.ts';
import { eventsOfAttempt, type Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';
import { billingAsApproved, reversedAmount } from './reversed-amount.ts';
import { settleCredits } from './settle-credits.ts';

/** Reports whether the payment was booked with its authorization, or with the advice of it: no clearing follows, and later events of the authorization change what is booked. */
export const isBookedAtOnce = (payment: Payment): boolean =>
  payment.ended === 'cleared' &&
  eventsOfAttempt(payment).some(
    ({ type, singleMessage, decision }) =>
      singleMessage === true && (type === 'advice' || (decision !== undefined && decision.decline === undefined)),
  );

const bookedBy = ({ cleared, takenBack }: Payment): bigint => cleared + (takenBack?.credited ?? 0n);

const billedBy = ({ events }: Payment, ...types: readonly PaymentEventType[]): bigint =>
  events.reduce(
    (sum, { type, billing = 0n, duplicateOf }) => (types.includes(type) && duplicateOf === undefined ? sum + billing : sum),
    0n,
  );

/**
 * The part of a clearing that is to be booked. Clearings of a payment that was booked at once are the record of that booking in a clearing file: only what they exceed
 * it by is booked as well.
 */
export const beyondBooking = (payment: Payment, amount: bigint): bigint => {
  if (!isBookedAtOnce(payment)) return amount;
  const left = bookedBy(payment) - billedBy(payment, 'force_post', 'correction_debit') - billedBy(payment, 'clearing');
  return left > 0n ? amount - atMost(left, amount) : amount;
};

/** Takes back what was booked, in part or whole: the machine has not paid out, or the terminal has not received the answer. */
export const bookingReversed = (payment: Payment, event: PaymentEvent): Change => {
  const booked = bookedBy(payment);
  const amount = reversedAmount(payment, event);
  const before = payment.takenBack ?? { amount: 0n, credited: 0n };
  const total = amount === undefined ? booked : atMost(booked, before.amount + amount);
  const undone = event.undoneRequestId === undefined ? {} : { undone: true as const };
  const ended = total === booked ? { ended: 'reversed' as const, ...undone } : {};
  return settleCredits(payment, { state: { ...ended, takenBack: { ...before, amount: total } } });
};

/** Replaces what was booked, for example by what the machine has paid out. */
export const bookingReplaced = (payment: Payment, event: PaymentEvent): Change => {
  const booked = bookedBy(payment);
  const target = billingAsApproved(payment, event);
  const takenBack = { credited: payment.takenBack?.credited ?? 0n, amount: target < booked ? booked - target : 0n };
  const amount = target > booked ? target - booked : 0n;
  const effects: NewEffect[] = amount > 0n ? [{ kind: 'post', holdId: holdIdOf(payment.id, event.id), amount, keepOpen: false }] : [];
  return settleCredits(payment, { state: { takenBack, cleared: payment.cleared + amount }, effects });
};
