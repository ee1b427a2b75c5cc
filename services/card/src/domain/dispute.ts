import type { Amount } from '@florin/rpc/money';
import { atMost } from './event-change.ts';
import { disputableOf, type EntryMode, type Payment } from './payment.ts';
import type { PaymentEventType } from './payment-event.ts';

/** How far a dispute has gone at the network, in the order in which the stages follow each other. */
export const DISPUTE_STAGES = ['opened', 'chargeback', 'representment', 'pre_arbitration', 'arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

const DISPUTE_OUTCOMES = ['won', 'lost', 'withdrawn'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

export type DisputeReason = 'fraud' | 'not_received' | 'not_as_described' | 'duplicate' | 'cancelled' | 'other';

/** Details of a step of a dispute besides its stage and amount. */
export type DisputeDetails = {
  /** The network's id of the case. */
  networkCaseId?: string | undefined;
  /** The network's reason code. */
  networkReasonCode?: string | undefined;
  /** Until when the next step has to be taken. */
  deadline?: Date | undefined;
};

/** A dispute of a payment. */
export type Dispute = DisputeDetails & {
  id: string;
  /** The cardholder's: a DisputeReason, and their words. */
  reason: string;
  /** The disputed amount. */
  amount: Amount;
  /** The amount credited when the dispute was opened. */
  provisionalCredit: Amount;
  /** The amount credited to the account for it by now. Credits and refunds together never exceed what was cleared. */
  credited: Amount;
  /** `submitted` until it is decided, and again from a later stage on. */
  status: 'submitted' | DisputeOutcome;
  /** Absent until the network is involved. */
  stage?: DisputeStage;
  /** The part that was won; absent: all of it. */
  wonAmount?: Amount;
  /** Of a dispute that was submitted again: what its outcome has credited, which stays until the next one. */
  standingCredit?: Amount;
  /** True if opening it has blocked the card. */
  cardBlocked?: true;
  /** Number of its steps; absent from disputes of earlier releases. */
  steps?: number;
};

/** The step of a dispute that an event is. */
export type DisputeStep = DisputeDetails & {
  id: string;
  /** Of the step that opens the dispute. */
  reason?: string;
  /** Of the step that opens the dispute: what the program credits at most. */
  provisionalCredit?: Amount;
  /** Of the step that opens the dispute: it blocks the card. */
  cardBlocked?: true;
  note?: string | undefined;
  /** The actor who took the step; absent: the cardholder. */
  actor?: string | undefined;
  /** Hash of the request that reported the step. */
  inputHash?: string;
};

const STEP_OF = {
  dispute_opened: 'opened',
  dispute_chargeback: 'chargeback',
  dispute_representment: 'representment',
  second_presentment: 'representment',
  dispute_pre_arbitration: 'pre_arbitration',
  dispute_arbitration: 'arbitration',
  dispute_won: 'won',
  dispute_lost: 'lost',
  dispute_withdrawn: 'withdrawn',
} as const satisfies Partial<Record<PaymentEventType, DisputeStage | DisputeOutcome>>;

/** A stage or an outcome. */
export type DisputeStepStage = DisputeStage | DisputeOutcome;

const REPORTED = 'dispute_step:';

/** Id of the event that records a reported step. Ids of the network's events do not collide with it. */
export const stepEventId = (reportedId: string): string => REPORTED + reportedId;

/** The id under which a step was reported. */
export const reportedIdOf = (eventId: string): string => (eventId.startsWith(REPORTED) ? eventId.slice(REPORTED.length) : eventId);

/** Reports whether a step ends the dispute. */
export const isOutcome = (step: DisputeStepStage): step is DisputeOutcome => (DISPUTE_OUTCOMES as readonly string[]).includes(step);

/** The stage or outcome that an event reaches; undefined for events that are no steps of disputes. */
export const stepOf = (type: PaymentEventType): DisputeStepStage | undefined =>
  Object.hasOwn(STEP_OF, type) ? STEP_OF[type as keyof typeof STEP_OF] : undefined;

/** The latest stage, or the outcome. */
export const stageOf = ({ status, stage = 'opened' }: Pick<Dispute, 'status' | 'stage'>): DisputeStepStage =>
  status === 'submitted' ? stage : status;

/** All disputes of a payment, oldest first. */
export const disputesOf = ({ earlierDisputes = [], dispute }: Pick<Payment, 'earlierDisputes' | 'dispute'>): readonly Dispute[] =>
  dispute === undefined ? earlierDisputes : [...earlierDisputes, dispute];

/** The dispute with this id; without an id the latest one. */
export const disputeOf = (payment: Pick<Payment, 'earlierDisputes' | 'dispute'>, id: string | undefined): Dispute | undefined =>
  id === undefined ? payment.dispute : disputesOf(payment).find((dispute) => dispute.id === id);

/**
 * Disputes that a payment can have. A withdrawn amount can be disputed again, and each dispute stays in the payment's record, which every later event reads and
 * writes, and is told to the processor: without a bound, opening and withdrawing in a loop would make that record as large as one likes.
 */
export const MAX_DISPUTES = 20;

/** The fields of a payment with these disputes, of which there is one at least. */
export const withDisputes = (disputes: readonly Dispute[]): Pick<Payment, 'earlierDisputes' | 'dispute'> => {
  const [earlierDisputes, dispute] = [disputes.slice(0, -1), disputes.at(-1)];
  return { ...(earlierDisputes.length === 0 ? {} : { earlierDisputes }), ...(dispute === undefined ? {} : { dispute }) };
};

/**
 * The amount that a new dispute can be about: cleared, not refunded, and in no other dispute that was not withdrawn. Of a dispute that was lost, the refund may have been
 * the reason.
 */
export const newlyDisputableOf = (payment: Payment): Amount => {
  const sumOf = (...statuses: readonly Dispute['status'][]): Amount =>
    disputesOf(payment).reduce((sum, { status, amount }) => (statuses.includes(status) ? sum + amount : sum), 0n);
  const standing = sumOf('submitted', 'won');
  const left = atMost(disputableOf(payment), payment.cleared - sumOf('lost')) - standing;
  return left > 0n ? left : 0n;
};

/** Reasons as the rules of the networks call them; of a payment without the card where that makes a difference. */
const NETWORK_REASONS: Readonly<Record<string, Readonly<Partial<Record<DisputeReason | 'remote_fraud', string>>>>> = {
  visa: { fraud: '10.3', remote_fraud: '10.4', not_received: '13.1', not_as_described: '13.3', duplicate: '12.6.1', cancelled: '13.7' },
  mastercard: { fraud: '4837', not_received: '4853', not_as_described: '4853', duplicate: '4834', cancelled: '4853' },
};

const WITH_CARD: ReadonlySet<EntryMode | undefined> = new Set(['chip', 'contactless', 'magnetic_stripe']);

/** The reason code of a network under which a dispute begins; undefined if its rules have none for the reason. */
export const networkReasonOf = (network: string, reason: DisputeReason, { entryMode }: Pick<Payment, 'entryMode'>): string | undefined => {
  const codes = NETWORK_REASONS[network];
  if (reason === 'fraud' && !WITH_CARD.has(entryMode)) return codes?.remote_fraud ?? codes?.fraud;
  return codes?.[reason];
};
