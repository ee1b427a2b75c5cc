import { atMost, type Change } from './event-change.ts';
import { type Dispute, disputableOf, type Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';

/**
 * What a dispute credits while this much can be disputed. Undecided, it credits what was credited provisionally, and less after a refund; won, all that
 * is disputed and was not refunded; lost, nothing.
 */
const creditOf = ({ status, amount, credited }: Dispute, disputable: bigint): bigint => {
  if (status === 'lost') return 0n;
  return atMost(disputable, status === 'won' ? amount : credited);
};

/** Brings what a dispute credits in line with its status and with the refunds, so that nothing is credited twice. */
const settled = (payment: Payment): { state: Pick<Payment, 'dispute'>; effects: NewEffect[] } => {
  const { dispute } = payment;
  if (dispute === undefined) return { state: {}, effects: [] };
  const credited = creditOf(dispute, disputableOf(payment));
  const difference = credited - dispute.credited;
  const effects: NewEffect[] = [];
  if (difference > 0n) effects.push({ kind: 'credit', from: 'disputes', amount: difference });
  if (difference < 0n) effects.push({ kind: 'debit', to: 'disputes', amount: -difference });
  return { state: { dispute: { ...dispute, credited } }, effects };
};

/** Announces a credit. Nothing is booked. */
export const creditAnnounced = (payment: Payment, event: PaymentEvent): Change => ({
  state: {
    pendingCredit: payment.pendingCredit + (event.billing ?? 0n),
    ...(payment.holdId === undefined && event.expiresAt !== undefined ? { expiresAt: event.expiresAt } : {}),
  },
});

/** Takes an announcement back, in part or whole. */
export const announcementReversed = (payment: Payment, { billing }: PaymentEvent): Change => {
  const left = billing === undefined || billing >= payment.pendingCredit ? 0n : payment.pendingCredit - billing;
  return { state: { pendingCredit: left } };
};

/** A refund is always credited, and is what was announced. What a dispute has credited of the same amount is taken back. */
export const refunded = (payment: Payment, event: PaymentEvent): Change => {
  const amount = event.billing ?? 0n;
  const total = payment.refunded + amount;
  const pendingCredit = payment.pendingCredit - atMost(payment.pendingCredit, amount);
  const { state, effects } = settled({ ...payment, refunded: total });
  const credit: NewEffect[] = amount > 0n ? [{ kind: 'credit', from: 'settlement', amount }] : [];
  return { state: { ...state, refunded: total, pendingCredit }, effects: [...credit, ...effects] };
};

/** Takes a refund back. A dispute that was won then credits what the refund had covered. */
export const refundReversed = (payment: Payment, event: PaymentEvent): Change => {
  const amount = event.billing ?? 0n;
  const total = payment.refunded - amount;
  const { state, effects } = settled({ ...payment, refunded: total });
  return { state: { ...state, refunded: total }, effects: [{ kind: 'debit', to: 'settlement', amount }, ...effects] };
};

/** Opens a dispute. The provisional credit never exceeds what can be disputed: a refund may have come since it was calculated. */
export const disputed = (payment: Payment, { dispute }: PaymentEvent): Change => {
  if (dispute === undefined || payment.dispute !== undefined) return {};
  const amount = disputableOf(payment);
  const provisionalCredit = atMost(amount, dispute.provisionalCredit);
  const effects: NewEffect[] = provisionalCredit > 0n ? [{ kind: 'credit', from: 'disputes', amount: provisionalCredit }] : [];
  return { state: { dispute: { ...dispute, amount, provisionalCredit, credited: provisionalCredit, status: 'submitted' } }, effects };
};

/** Ends a dispute. The first decision stands. */
export const disputeEnded = (payment: Payment, status: 'won' | 'lost'): Change => {
  const { dispute } = payment;
  return dispute?.status === 'submitted' ? settled({ ...payment, dispute: { ...dispute, status } }) : {};
};
