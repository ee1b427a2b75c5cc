import { billedAsApproved, ofTypes, reversedAmount, sumOf } from './approved-amount.ts';
import { atMost, type Change } from './event-change.ts';
import { isBookedAtOnce, type Payment, type TakenBack } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';
import { settleCredits } from './settle-credits.ts';

const NOTHING: TakenBack = { amount: 0n, credited: 0n };

/** The amount of force posts and corrections: they are booked beside the authorization, so that no reversal or advice of it concerns them. */
export const besideOf = ({ events }: Pick<Payment, 'events'>): bigint => sumOf(ofTypes(events, 'force_post', 'correction_debit')).billing;

/** The booked amount, without what attempts before the latest one have booked, and what is booked beside. */
export const bookedBy = (payment: Pick<Payment, 'events' | 'cleared' | 'takenBack'>): bigint => {
  const { credited, formerAmount = 0n } = payment.takenBack ?? NOTHING;
  return payment.cleared + credited - formerAmount - besideOf(payment);
};

/** The part of what the latest attempt has booked at once that no clearing has told of yet. */
const unpresented = (payment: Payment): bigint => bookedBy(payment) - sumOf(ofTypes(payment.events, 'clearing')).billing;

/** The amount up to which a clearing tells of what was booked at once. An amount that was released before the authorization came was not booked, and is presented all the same. */
const awaited = (payment: Payment): bigint => (isBookedAtOnce(payment) ? unpresented(payment) + payment.releasedEarly : 0n);

/** Reports whether a clearing may still tell of what was booked with the authorization. */
export const awaitsPresentment = (payment: Payment): boolean => awaited(payment) > 0n;

/**
 * The part of a clearing that is to be booked. Clearings of a payment that was booked at once are the record of that booking in a clearing file: only what they exceed
 * it by is booked as well.
 */
export const beyondBooking = (payment: Payment, amount: bigint): bigint => {
  const left = awaited(payment);
  return left > 0n ? amount - atMost(left, amount) : amount;
};

/** Takes back what was booked, in part or whole: the machine has not paid out, or the terminal has not received the answer. */
export const bookingReversed = (payment: Payment, event: PaymentEvent): Change => {
  const before = payment.takenBack ?? NOTHING;
  const booked = payment.cleared + before.credited - besideOf(payment);
  const amount = reversedAmount(payment, event);
  const total = amount === undefined ? booked : atMost(booked, before.amount + amount);
  const ended = total === booked ? { ended: 'reversed' as const } : {};
  return settleCredits(payment, { state: { ...ended, takenBack: { ...before, amount: total } } });
};

/** The amount that all attempts up to now have booked at once, and that no clearing has told of: of none that begins now. */
const formerOf = (payment: Payment): bigint => unpresented(payment) + (payment.takenBack?.formerAmount ?? 0n);

/** The payment as another approval of the network finds it after a full reversal. */
export const attemptBegun = (payment: Payment): Payment => {
  const { takenBack } = payment;
  return takenBack === undefined ? payment : { ...payment, takenBack: { ...takenBack, formerAmount: formerOf(payment) } };
};

/** Takes back what the attempt has booked that the processor undoes, and nothing that was booked beside it. */
export const bookingUndone = (payment: Payment): Change => {
  const { takenBack = NOTHING } = payment;
  const formerAmount = formerOf(payment);
  const amount = takenBack.amount > formerAmount ? takenBack.amount : formerAmount;
  return settleCredits(payment, { state: { ended: 'reversed', undone: true, takenBack: { ...takenBack, amount, formerAmount } } });
};

/** Replaces what was booked, for example by what the machine has paid out. */
export const bookingReplaced = (payment: Payment, event: PaymentEvent): Change => {
  const booked = bookedBy(payment);
  const billed = billedAsApproved(payment, event);
  const { billing: target = 0n } = billed;
  const { takenBack: before = NOTHING } = payment;
  const takenBack = { ...before, amount: (before.formerAmount ?? 0n) + (target < booked ? booked - target : 0n) };
  const amount = target > booked ? target - booked : 0n;
  const effects: NewEffect[] = amount > 0n ? [{ kind: 'post', holdId: holdIdOf(payment.id, event.id), amount, keepOpen: false }] : [];
  return { event: billed, ...settleCredits(payment, { state: { takenBack, cleared: payment.cleared + amount }, effects }) };
};
