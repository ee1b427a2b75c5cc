/** Stored states. Active and frozen change into each other, the others are final. */
export type StoredCardStatus = 'active' | 'frozen' | 'lost' | 'stolen' | 'cancelled';

/** States as callers see them. `expired` follows from the clock and is never stored. */
export type CardStatus = StoredCardStatus | 'expired';

/** What the processor assigns to a card that it issues. Never the PAN. */
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
  /** First moment at which the card is no longer valid. */
  expiresAt: Date;
  createdAt: Date;
};

/** A card is valid until the end of the last day of its expiry month (ISO/IEC 7813), in UTC. */
export const expiryOf = ({ expMonth, expYear }: Pick<CardFace, 'expMonth' | 'expYear'>): Date => new Date(Date.UTC(expYear, expMonth, 1));

/** The status at `now`. A card that ended before its expiry keeps the status that ended it. */
export const statusAt = ({ status, expiresAt }: Pick<Card, 'status' | 'expiresAt'>, now: Date): CardStatus =>
  (status === 'active' || status === 'frozen') && now >= expiresAt ? 'expired' : status;

/** Whether the card counts toward the limit of live cards. */
export const isLive = (card: Pick<Card, 'status' | 'expiresAt'>, now: Date): boolean => {
  const status = statusAt(card, now);
  return status === 'active' || status === 'frozen';
};
