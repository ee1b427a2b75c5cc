import type { CardFace } from '../domain/card.ts';

/** Order for one virtual card. */
export type CardOrder = {
  /** Chosen by this service; the processor's idempotency key. */
  cardId: string;
  userId: string;
  accountId: string;
  name: string;
  requestedAt: Date;
};

type CardExpiry = Pick<CardFace, 'expMonth' | 'expYear'>;

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
};
