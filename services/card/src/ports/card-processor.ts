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

export type IssueResult =
  | { outcome: 'issued'; face: CardFace }
  /** A definite no: this card was not issued. A later order may succeed. */
  | { outcome: 'refused' };

/** Port to the system that issues cards. */
export type CardProcessor = {
  /**
   * Issues a virtual card. Idempotent by `cardId`: a repeat for a card that was issued returns the same face.
   * Any rejection, including an abort at the deadline, means that the outcome is unknown.
   */
  issueCard: (order: CardOrder, signal: AbortSignal) => Promise<IssueResult>;
};
