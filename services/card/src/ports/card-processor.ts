import type { CardActor, CardFace, StoredCardStatus } from '../domain/card.ts';
import type { CardExpiry } from '../domain/card-term.ts';
import type { DisputeDetails, DisputeStepStage } from '../domain/dispute.ts';

/** Order for one virtual card. */
export type CardOrder = {
  /** Chosen by this service; the processor's idempotency key. */
  cardId: string;
  userId: string;
  accountId: string;
  name: string;
  requestedAt: Date;
  /** The lost or stolen card that this one replaces. */
  replacementFor?: string | undefined;
};

/** The state of a card that a processor needs after a change. Expiry follows from the clock: no change announces it. */
export type CardState = CardExpiry & {
  cardId: string;
  /** Rises with every change: a state with a lower revision than one that was seen is out of date. */
  revision: number;
  name: string;
  status: StoredCardStatus;
  frozenBy: readonly CardActor[];
  replacedBy?: string | undefined;
};

/** A dispute of a payment as a processor needs it, which brings it before the network. Amounts are integers in the billing currency's minor unit, as text. */
export type DisputeState = DisputeDetails & {
  disputeId: string;
  /** Number of its steps: a state with a lower revision than one that was seen is out of date. */
  revision: number;
  paymentId: string;
  transactionId?: string | undefined;
  cardId: string;
  status: string;
  stage: DisputeStepStage;
  reason: string;
  amount: string;
  currency: string;
  /** The steps in the order of arrival; an amount is left out where it is the disputed one. */
  steps: readonly (DisputeDetails & {
    eventId: string;
    stage: DisputeStepStage;
    at: Date;
    amount?: string | undefined;
    note?: string | undefined;
    actor?: string | undefined;
  })[];
};

/** Order to renew a card. The current expiry identifies the term, so that a repeat renews for the same term. */
type RenewalOrder = CardExpiry & { cardId: string };

export type IssueResult =
  | { outcome: 'issued'; face: CardFace }
  /** A definite no: this card was not issued. A later order may succeed. */
  | { outcome: 'refused' };

export type RenewResult =
  | { outcome: 'renewed'; expiry: CardExpiry }
  /** A definite no: the card keeps its expiry. */
  | { outcome: 'refused' };

/** Port to the system that issues cards. */
export type CardProcessor = {
  /**
   * Issues a virtual card with a new PAN. Idempotent by `cardId`: a repeat for a card that was issued returns the same face.
   * Any rejection, including an abort at the deadline, means that the outcome is unknown.
   */
  issueCard: (order: CardOrder, signal: AbortSignal) => Promise<IssueResult>;
  /**
   * Extends the expiry of a card and keeps its PAN. Idempotent by `cardId` and current expiry. Rejections as for `issueCard`.
   */
  renewCard: (order: RenewalOrder, signal: AbortSignal) => Promise<RenewResult>;

  /**
   * Tells of a card's state after a change. Safe to repeat, and in any order because of its revision.
   * @throws when the processor may not have taken it; it is told again
   */
  reportState: (state: CardState, signal: AbortSignal) => Promise<void>;

  /** Tells of a dispute after a step. Safe to repeat, and in any order, as for `reportState`. */
  reportDispute: (state: DisputeState, signal: AbortSignal) => Promise<void>;
};
