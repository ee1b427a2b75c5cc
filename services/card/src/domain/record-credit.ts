import { atMost, type Change } from './event-change.ts';
import type { Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';
import { settleCredits } from './settle-credits.ts';

/** Reports whether all that is announced was taken back before it arrived. */
const wasTakenBackEarly = ({ events }: Payment): boolean =>
  events.some(({ type, billing }) => type === 'announcement_reversal' && billing === undefined) &&
  !events.some(({ type }) => type === 'credit_announced' || type === 'credit_request');

/** Announces a credit. Nothing is booked. */
export const creditAnnounced = (payment: Payment, event: PaymentEvent): Change => {
  if (wasTakenBackEarly(payment)) return {};
  const { billing = 0n, expiresAt } = event;
  const state = { pendingCredit: payment.pendingCredit + billing };
  return { state: expiresAt === undefined ? state : { ...state, creditExpiresAt: expiresAt } };
};

/** Takes an announcement back, in part or whole. */
export const announcementReversed = (payment: Payment, { billing }: PaymentEvent): Change => {
  const left = billing === undefined || billing >= payment.pendingCredit ? 0n : payment.pendingCredit - billing;
  return { state: { pendingCredit: left } };
};

/** Ends an announcement. Our own expiry names the time that it is about: what was announced anew since does not expire. */
export const announcementExpired = (payment: Payment, { expiresAt }: PaymentEvent): Change => {
  const { creditExpiresAt } = payment;
  if (expiresAt !== undefined && creditExpiresAt !== undefined && creditExpiresAt > expiresAt) return {};
  return { state: { pendingCredit: 0n } };
};

/** A refund is always credited, and ends its announcement. Credits of a reversal or a dispute for the same amount are taken back. */
export const refunded = (payment: Payment, event: PaymentEvent): Change => {
  const amount = event.billing ?? 0n;
  const total = payment.refunded + amount;
  const pendingCredit = payment.pendingCredit - atMost(payment.pendingCredit, amount);
  const effects: NewEffect[] = amount > 0n ? [{ kind: 'credit', from: 'settlement', amount }] : [];
  return settleCredits(payment, { state: { refunded: total, pendingCredit }, effects });
};

/** Takes a refund back. A reversal, or a dispute that was won, then credits what the refund had covered. */
export const refundReversed = (payment: Payment, event: PaymentEvent): Change => {
  const amount = event.billing ?? 0n;
  const state = { refunded: payment.refunded - amount };
  return settleCredits(payment, { state, effects: amount > 0n ? [{ kind: 'debit', to: 'settlement', amount }] : [] });
};
