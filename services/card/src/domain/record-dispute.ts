import type { Amount } from '@florin/rpc/money';
import {
  DISPUTE_STAGES,
  type Dispute,
  type DisputeOutcome,
  type DisputeStage,
  type DisputeStepStage,
  disputeOf,
  disputesOf,
  isOutcome,
  newlyDisputableOf,
  stepOf,
  withDisputes,
} from './dispute.ts';
import { atMost, type Change } from './event-change.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { settleCredits } from './settle-credits.ts';

/** Opens a dispute of all that can be disputed, or of the event's amount. It is without effect where less is left: a refund may have come in between. */
export const disputed = (payment: Payment, { dispute: opened, billing }: PaymentEvent): Change => {
  const free = newlyDisputableOf(payment);
  const amount = billing ?? free;
  if (opened === undefined || amount === 0n || amount > free || disputeOf(payment, opened.id) !== undefined) return {};
  const { id, reason = 'other', networkReasonCode, cardBlocked } = opened;
  const dispute: Dispute = {
    ...{
      id,
      reason,
      amount,
      provisionalCredit: atMost(amount, opened.provisionalCredit ?? 0n),
      credited: 0n,
      status: 'submitted',
      steps: 1,
    },
    ...(networkReasonCode === undefined ? {} : { networkReasonCode }),
    ...(cardBlocked === undefined ? {} : { cardBlocked }),
  };
  const change = settleCredits(payment, { state: withDisputes([...disputesOf(payment), dispute]) });
  return cardBlocked ? { ...change, effects: [{ kind: 'block_card' }, ...(change.effects ?? [])] } : change;
};

const rankOf = ({ stage = 'opened' }: Pick<Dispute, 'stage'>): number => DISPUTE_STAGES.indexOf(stage);

/**
 * A dispute at a stage. A later one than it was decided in submits it again, unless it was given up: the acquirer contests what was won, and the issuer what
 * was lost.
 */
const atStage = (dispute: Dispute, stage: DisputeStage): Dispute => {
  const { status, amount, wonAmount = amount } = dispute;
  if (rankOf({ stage }) <= rankOf(dispute) || status === 'withdrawn' || (status === 'lost' && stage === 'representment')) return dispute;
  if (status === 'submitted') return { ...dispute, stage };
  const { wonAmount: _won, ...rest } = dispute;
  return { ...rest, stage, status: 'submitted', standingCredit: status === 'won' ? wonAmount : 0n };
};

const decided = (dispute: Dispute, status: DisputeOutcome, amount: Amount | undefined): Dispute => {
  if (dispute.status !== 'submitted') return dispute;
  const { deadline: _passed, standingCredit: _replaced, ...rest } = dispute;
  return { ...rest, status, ...(status === 'won' && amount !== undefined ? { wonAmount: atMost(dispute.amount, amount) } : {}) };
};

/** A dispute after a step. The facts of an outdated step do not count. */
const after = (dispute: Dispute, step: DisputeStepStage, { billing, dispute: told }: PaymentEvent): Dispute => {
  const steps = (dispute.steps ?? 1) + 1;
  if (isOutcome(step)) return { ...decided(dispute, step, billing), steps };
  if (rankOf({ stage: step }) < rankOf(dispute)) return { ...dispute, steps };
  const moved = atStage(dispute, step);
  const { networkCaseId = moved.networkCaseId, networkReasonCode = moved.networkReasonCode } = told ?? {};
  const { deadline: _former, ...rest } = moved;
  return {
    ...rest,
    steps,
    ...(networkCaseId === undefined ? {} : { networkCaseId }),
    ...(networkReasonCode === undefined ? {} : { networkReasonCode }),
    ...(told?.deadline === undefined || moved.status !== 'submitted' ? {} : { deadline: told.deadline }),
  };
};

/** The amount that was billed for what is presented again, whatever the rate is now. */
const billedFirst = ({ events }: Payment, { amount, currency, network, billing }: PaymentEvent): Amount | undefined => {
  const reference = network?.acquirerReference;
  const first =
    events.find((one) => one.type === 'clearing' && reference !== undefined && one.network?.acquirerReference === reference) ??
    events.find((one) => one.type === 'clearing' && amount !== undefined && one.amount === amount && one.currency === currency);
  return first?.billing ?? billing;
};

/** The dispute that an acquirer contests by presenting an amount again: the latest of that amount, or else the latest. */
const contestedOf = (payment: Payment, event: PaymentEvent): Dispute | undefined => {
  const billing = billedFirst(payment, event);
  const contestable = disputesOf(payment).filter(({ status }) => status === 'submitted' || status === 'won');
  return contestable.findLast(({ amount }) => amount === billing) ?? contestable.at(-1);
};

/** Records a step of a dispute. A second presentment names none, nor do outcomes that earlier releases have recorded. */
export const disputeAdvanced = (payment: Payment, event: PaymentEvent): Change => {
  const step = stepOf(event.type);
  const found = event.type === 'second_presentment' ? contestedOf(payment, event) : disputeOf(payment, event.dispute?.id);
  if (step === undefined || found === undefined) return {};
  const changed = after(found, step, event);
  const change = settleCredits(payment, { state: withDisputes(disputesOf(payment).map((one) => (one.id === found.id ? changed : one))) });
  return event.dispute === undefined ? { ...change, event: { ...event, dispute: { id: found.id, actor: payment.processor } } } : change;
};
