/** States that are written. Active and frozen change into each other, the others are final. */
export type StoredCardStatus = 'active' | 'frozen' | 'lost' | 'stolen' | 'cancelled';

/** States that are shown: whether a card is expired follows from the clock, nothing has to write it. */
export type CardStatus = StoredCardStatus | 'expired';

/** What the processor decides about a card that it issues. Never the PAN. */
export type CardFace = {
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  /** Four digits. */
  expYear: number;
  /** For example visa. */
  network: string;
};

export type Card = CardFace & {
  id: string;
  userId: string;
  accountId: string;
  name: string;
  status: StoredCardStatus;
  /** First moment at which the card is not valid any more. */
  expiresAt: Date;
  createdAt: Date;
};

/** A card is valid to the end of the last day of its expiry month (ISO/IEC 7813), taken in UTC. */
export const expiryOf = ({ expMonth, expYear }: Pick<CardFace, 'expMonth' | 'expYear'>): Date => new Date(Date.UTC(expYear, expMonth, 1));

/** A card that was ended before its expiry stays what it was ended as. */
export const statusAt = ({ status, expiresAt }: Pick<Card, 'status' | 'expiresAt'>, now: Date): CardStatus =>
  (status === 'active' || status === 'frozen') && now >= expiresAt ? 'expired' : status;

/** Live cards count against the limit. Every other state is final, so that a card that was not live once never is again. */
export const isLive = (card: Pick<Card, 'status' | 'expiresAt'>, now: Date): boolean => {
  const status = statusAt(card, now);
  return status === 'active' || status === 'frozen';
};
