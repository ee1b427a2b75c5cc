import type { Amount } from '@florin/rpc/money';
import { atMost, type Change } from './event-change.ts';
import { type Dispute, disputableOf, type Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';

/** Moves what was credited to another amount. */
const adjusted = (system: 'settlement' | 'disputes', before: Amount, after: Amount): NewEffect[] => {
  if (after > before) return [{ kind: 'credit', from: system, amount: after - before }];
  return after < before ? [{ kind: 'debit', to: system, amount: before - after }] : [];
};

/** Gives back what the network has taken back of a booked payment, as far as refunds have not done so. */
const takenBackSettled = (payment: Payment): Change => {
  const { takenBack, cleared } = payment;
  if (takenBack === undefined) return {};
  const booked = cleared + takenBack.credited;
  const credited = atMost(takenBack.amount, disputableOf({ ...payment, cleared: booked }));
  return {
    state: { takenBack: { ...takenBack, credited }, cleared: booked - credited },
    effects: adjusted('settlement', takenBack.credited, credited),
  };
};

/**
 * The credit of a dispute while this much can be disputed. Undecided, it credits what was credited provisionally, and less after a refund; won, all that
 * is disputed and was not refunded; lost, nothing. The order of refunds makes no difference.
 */
const creditOf = ({ status, amount, provisionalCredit }: Dispute, disputable: Amount): Amount => {
  if (status === 'lost') return 0n;
  return atMost(disputable, status === 'won' ? amount : provisionalCredit);
};

const disputeSettled = (payment: Payment): Change => {
  const { dispute } = payment;
  if (dispute === undefined) return {};
  const credited = creditOf(dispute, disputableOf(payment));
  return { state: { dispute: { ...dispute, credited } }, effects: adjusted('disputes', dispute.credited, credited) };
};

/**
 * Completes a change of what is refunded, taken back or decided: reversals give way to refunds, and a dispute gives way to both, so that nothing is
 * credited twice.
 */
export const settleCredits = (payment: Payment, { state = {}, effects = [] }: Change): Change => {
  const ofReversals = takenBackSettled({ ...payment, ...state });
  const changed = { ...state, ...ofReversals.state };
  const ofDispute = disputeSettled({ ...payment, ...changed });
  return { state: { ...changed, ...ofDispute.state }, effects: [...effects, ...(ofReversals.effects ?? []), ...(ofDispute.effects ?? [])] };
};
