import type { CardFace } from './card.ts';

/** A user holds at most this many live cards. */
export const MAX_LIVE_CARDS = 5;

/** One try to get a card issued. The latest try on a slot is the only one that may give the slot back. */
export type Attempt = { id: string; at: Date };

/** What a slot knows while its card is on the way. */
export type Issuing = {
  attempt: Attempt;
  /** The processor's yes. From here on the card will exist, whoever is killed. */
  issued?: CardFace & { at: Date };
};

/**
 * A place for one live card. It is taken before the card is ordered and holds all that is needed to go on.
 *
 * `issuing` without `issued`: ordered, outcome open. `issuing.issued`: to be written down as a card.
 * No `issuing`: the card stands.
 */
export type Slot = {
  cardId: string;
  accountId: string;
  name: string;
  requestedAt: Date;
  issuing?: Issuing;
};

/** The document that decides how many live cards a user has. */
export type Cardholder = {
  userId: string;
  cardholderId: string;
  /** E.164. */
  phone: string;
  /** Whether a code has proven the number. */
  phoneVerified: boolean;
  slots: Slot[];
};

export type PhoneVerification = 'off' | 'required';

/** Where numbers must be proven, the first card waits for that; who holds cards already is not locked out. */
export const mayOrderCard = ({ phoneVerified, slots }: Cardholder, verification: PhoneVerification): boolean =>
  verification === 'off' || phoneVerified || slots.length > 0;
