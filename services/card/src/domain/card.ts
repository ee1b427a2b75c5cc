/** Stored states. Active and frozen change into each other, the others are final. */
export const STORED_CARD_STATUSES = ['active', 'frozen', 'lost', 'stolen', 'cancelled'] as const;
export type StoredCardStatus = (typeof STORED_CARD_STATUSES)[number];

/** States as callers see them. `expired` follows from the clock and is never stored. */
export type CardStatus = StoredCardStatus | 'expired';

/** The parties that change a card: its holder, or the issuer through the back office or another service. */
export const CARD_ACTORS = ['cardholder', 'issuer'] as const;
export type CardActor = (typeof CARD_ACTORS)[number];

export const CARD_ACTIONS = ['freeze', 'unfreeze', 'report_lost', 'report_stolen', 'cancel', 'replace', 'renew', 'rename'] as const;
export type CardAction = (typeof CARD_ACTIONS)[number];

/** Colours in which apps show a card. */
export const CARD_COLOURS = ['green', 'blue', 'violet', 'red', 'brown', 'grey'] as const;
export type CardColour = (typeof CARD_COLOURS)[number];

/** The processor's data of a card that it issues. Never the PAN. */
export type CardFace = {
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  /** Four digits. */
  expYear: number;
  /** For example visa. */
  network: string;
};

/** The requester of a change, with the idempotency key. */
export type ChangeOrigin = {
  /** The caller's idempotency key within the card. */
  requestId: string;
  /** Hash of the requested change, to detect a reuse of the key for another change. */
  inputHash: string;
  actor: CardActor;
  /** The user's id, or the actor that a service named. */
  actorId: string;
  reason?: string;
};

/** An entry in the history of a card. */
export type CardChange = ChangeOrigin & { at: Date; action: CardAction; from: CardStatus; to: CardStatus };

/** A renewal that has been requested and may have been ordered from the processor. */
export type Renewal = { origin: ChangeOrigin; requestedAt: Date };

export type Card = CardFace & {
  id: string;
  userId: string;
  accountId: string;
  name: string;
  /** Absent while the cardholder has chosen none. */
  colour?: CardColour;
  status: StoredCardStatus;
  /** The parties that have frozen the card; empty unless the status is frozen. */
  frozenBy: readonly CardActor[];
  /** Reason given for the current status. */
  statusReason?: string;
  /** The lost or stolen card that this one replaces. */
  replacementFor?: string;
  /** The first card of a series of replacements; absent on that card itself. */
  seriesId?: string;
  /** The card that replaces this one; set before that card is issued. */
  replacedBy?: string;
  renewal?: Renewal;
  /** First moment at which the card is no longer valid. */
  expiresAt: Date;
  createdAt: Date;
  /** Number of changes. Each write requires the revision that it is based on, so one of two concurrent changes wins. */
  revision: number;
  /** The latest changes, oldest first. */
  history: readonly CardChange[];
};

/** Id of the series that a card belongs to: limits, their use, and controls are those of the series, so that they outlive a replacement. */
export const seriesOf = ({ id, seriesId }: Pick<Card, 'id' | 'seriesId'>): string => seriesId ?? id;

/** A card is valid until the end of the last day of its expiry month (ISO/IEC 7813), in UTC. */
export const expiryOf = ({ expMonth, expYear }: Pick<CardFace, 'expMonth' | 'expYear'>): Date => new Date(Date.UTC(expYear, expMonth, 1));

/** The status at `now`. A card that ended before its expiry keeps the status that ended it. */
export const statusAt = ({ status, expiresAt }: Pick<Card, 'status' | 'expiresAt'>, now: Date): CardStatus =>
  (status === 'active' || status === 'frozen') && now >= expiresAt ? 'expired' : status;

/** Reports whether the card can pay, or could but for a freeze: it counts toward the limit of live cards. */
export const isLive = (card: Pick<Card, 'status' | 'expiresAt'>, now: Date): boolean => {
  const status = statusAt(card, now);
  return status === 'active' || status === 'frozen';
};
