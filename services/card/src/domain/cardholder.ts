import type { CardColour, CardFace } from './card.ts';

/** Maximum number of live cards per user, without replacements of lost and stolen cards. */
export const MAX_LIVE_CARDS = 5;

/** Maximum number of live cards per user, with replacements. */
export const MAX_LIVE_CARDS_WITH_REPLACEMENTS = 10;

/** One attempt to get a card issued. Only the latest attempt on a slot may release the slot. */
export type Attempt = { id: string; at: Date };

/** State of a slot while its card is being issued. */
export type Issuing = {
  attempt: Attempt;
  /** Attempts since the cardholder last asked for the card. */
  attempts: number;
  /** When the sweeper makes the next one. */
  dueAt: Date;
  /** The processor's confirmation. From here on the card will exist, even if this process is killed. */
  issued?: CardFace & { at: Date };
};

/** Pause after the first attempt: longer than an attempt takes. It doubles with each further one. A wrong guess only duplicates work. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** The state of a slot with its latest attempt. */
export const issuingSince = (attempt: Attempt, attempts: number): Issuing => {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20));
  return { attempt, attempts, dueAt: new Date(attempt.at.getTime() + pauseMs) };
};

/**
 * Room for one live card. It is reserved before the card is ordered and holds everything needed to resume.
 *
 * `issuing` without `issued`: ordered, outcome unknown. `issuing.issued`: confirmed, card not written yet.
 * No `issuing`: the card is written.
 */
export type Slot = {
  cardId: string;
  accountId: string;
  name: string;
  /** Set with `replacementFor`, if that card has one. */
  colour?: CardColour;
  requestedAt: Date;
  /** The card that this one replaces. A replacement does not count toward `MAX_LIVE_CARDS`. */
  replacementFor?: string;
  /** The first card of the series; set with `replacementFor`. */
  seriesId?: string;
  issuing?: Issuing;
};

/** A card that was ordered from the processor and not refused. */
export type Order = { cardId: string; at: Date };

/** A dispute that was credited provisionally, for the limit of such disputes. */
export type ProvisionalCredit = { disputeId: string; at: Date };

/** The document that decides how many live cards a user has, and how many are ordered a day. */
export type Cardholder = {
  userId: string;
  cardholderId: string;
  /** E.164. */
  phone: string;
  /** True if a code has verified the number. */
  phoneVerified: boolean;
  slots: Slot[];
  /** The latest orders, oldest first; absent before the first one, and from cardholders whom earlier releases have written. */
  orders?: Order[];
};

export type PhoneVerification = 'off' | 'required';

/** Reports whether a further card that is not a replacement is within the limits. */
export const hasRoom = (slots: readonly Slot[]): boolean =>
  slots.length < MAX_LIVE_CARDS_WITH_REPLACEMENTS &&
  slots.filter(({ replacementFor }) => replacementFor === undefined).length < MAX_LIVE_CARDS;

/** The time within which orders of cards are counted. */
const ORDERS_MS = 86_400_000;

/** Orders since this time count. */
export const ordersSince = (now: Date): Date => new Date(now.getTime() - ORDERS_MS);

/** When a further card can be ordered; undefined when it can be now. */
export const nextOrderAt = ({ orders = [] }: Pick<Cardholder, 'orders'>, perDay: number, now: Date): Date | undefined => {
  const counted = orders.filter(({ at }) => at > ordersSince(now));
  const freeing = counted.at(-perDay);
  return freeing === undefined ? undefined : new Date(freeing.at.getTime() + ORDERS_MS);
};

/** Where verification is required, the first card waits for it; cardholders who already hold cards are not locked out. */
export const mayOrderCard = ({ phoneVerified, slots }: Cardholder, verification: PhoneVerification): boolean =>
  verification === 'off' || phoneVerified || slots.length > 0;
