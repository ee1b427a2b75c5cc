import type { CardFace } from '../domain/card.ts';

/** Order for one virtual card. */
export type CardOrder = {
  /** Chosen by us; the processor's idempotency key. */
  cardId: string;
  userId: string;
  accountId: string;
  name: string;
  requestedAt: Date;
};

export type IssueResult =
  | { outcome: 'issued'; face: CardFace }
  /** A definite no: this card was not issued. Asking again later may end otherwise. */
  | { outcome: 'refused' };

/** Port to whoever issues cards. */
export type CardProcessor = {
  /**
   * Issues a virtual card. Idempotent by `cardId`: asked again, a processor that has issued the card answers the same.
   * Whatever it throws, its abort at the deadline included, means that the outcome is not known.
   */
  issueCard: (order: CardOrder, signal: AbortSignal) => Promise<IssueResult>;
};
