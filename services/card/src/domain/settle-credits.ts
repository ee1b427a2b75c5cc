import type { Amount } from '@florin/rpc/money';
import { type Dispute, disputesOf, withDisputes } from './dispute.ts';
import { atMost, type Change } from './event-change.ts';
import { disputableOf, type Payment } from './payment.ts';
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
 * The credit of a dispute while this much can be disputed. Undecided, it credits what was credited provisionally, or what stands of an outcome that is
 * contested, and less after a refund; won, all that was won and was not refunded; lost or withdrawn, nothing. The order of refunds makes no difference.
 */
const creditOf = ({ status, amount, provisionalCredit, standingCredit, wonAmount }: Dispute, disputable: Amount): Amount => {
  if (status === 'lost' || status === 'withdrawn') return 0n;
  return atMost(disputable, status === 'won' ? (wonAmount ?? amount) : (standingCredit ?? provisionalCredit));
};

const creditedBy = (all: readonly Dispute[]): Amount => all.reduce((sum, { credited }) => sum + credited, 0n);
const isWon = ({ status }: Dispute): boolean => status === 'won';

/** The network pays what disputes that are won have credited, so that `disputes` owes the undecided ones alone. */
const funded = (before: Amount, after: Amount): NewEffect[] => {
  if (after > before) return [{ kind: 'move', from: 'settlement', to: 'disputes', amount: after - before }];
  return after < before ? [{ kind: 'move', from: 'disputes', to: 'settlement', amount: before - after }] : [];
};

/** The disputes with their credits, older ones first: together they never credit more than can be disputed. */
const disputesSettled = (former: Payment, payment: Payment): Change => {
  const [before, disputes] = [disputesOf(former), disputesOf(payment)];
  if (disputes.length === 0) return {};
  let left = disputableOf(payment);
  const settled = disputes.map((dispute) => {
    const credited = creditOf(dispute, left);
    left -= credited;
    return { ...dispute, credited };
  });
  const effects = [
    ...adjusted('disputes', creditedBy(before), creditedBy(settled)),
    ...funded(creditedBy(before.filter(isWon)), creditedBy(settled.filter(isWon))),
  ];
  return { state: withDisputes(settled), effects };
};

/**
 * Completes a change of what is refunded, taken back or decided: reversals give way to refunds, and disputes give way to both, so that nothing is
 * credited twice.
 */
export const settleCredits = (payment: Payment, { state = {}, effects = [] }: Change): Change => {
  const ofReversals = takenBackSettled({ ...payment, ...state });
  const changed = { ...state, ...ofReversals.state };
  const ofDisputes = disputesSettled(payment, { ...payment, ...changed });
  return {
    state: { ...changed, ...ofDisputes.state },
    effects: [...effects, ...(ofReversals.effects ?? []), ...(ofDisputes.effects ?? [])],
  };
};
