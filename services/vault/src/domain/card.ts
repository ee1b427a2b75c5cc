import type { CardDataAction } from './card-data-text.ts';

export type Expiry = { expMonth: number; expYear: number };

/** The part of a card's data that may be shown and stored anywhere (PCI DSS 3.4.1). */
export type CardFace = Expiry & { last4: string; network: string };

/** A secret under a key-encryption key: the key's id and the wrapped bytes. */
export type Wrapped = { keyId: string; text: string };

/** Typed data that may be signed. */
export type CardDataChallenge = {
  action: CardDataAction;
  thumbprint: string;
  /** EIP-155. */
  chainId: number;
  authorization: string;
  nonce: string;
  expiresAt: Date;
};

/** A check, with the keyed hash of the PIN that was sent. */
export type PinCheck = { id: string; hash: string; result: 'match' | 'no_match' | 'blocked' };

export type Pin = {
  /** Keyed hash, for checks. */
  hash: string;
  /** Encrypted under the card's data key, for the cardholder. */
  sealed: string;
  /** Wrong tries in a row. */
  wrongTries: number;
  /** The latest checks, oldest first. */
  checks: readonly PinCheck[];
  /** Nonce of the challenge that set it, and hash of the message, to recognize a repeat. */
  setBy: { nonce: string; messageHash: string };
};

/** A check of a security code. */
export type SecurityCodeCheck = { id: string; result: 'match' | 'no_match' };

/** Checks of a card's security code on the latest day (UTC, YYYY-MM-DD) with one. */
export type SecurityCodeTally = {
  day: string;
  /** Wrong codes of that day. */
  wrong: number;
  /** The latest checks, oldest first, of earlier days too. */
  checks: readonly SecurityCodeCheck[];
};

/** A card as the vault keeps it. */
export type VaultCard = CardFace & {
  id: string;
  userId: string;
  /** Keyed hash of the number. */
  panHash: string;
  /** The data key under which `pan` and the PIN are encrypted. */
  dataKey: Wrapped;
  /** The number, encrypted under the data key. */
  pan: string;
  pin?: Pin;
  /** Absent before the first check. */
  securityCodeTries?: SecurityCodeTally;
  /** Challenges that may still be signed, oldest first. */
  challenges: readonly CardDataChallenge[];
  /** Reveals of the latest day (UTC, YYYY-MM-DD) with one. */
  reveals: { day: string; count: number };
  createdAt: Date;
};

/** One use of a card's secrets. */
export type CardDataAccess = {
  id: string;
  cardId: string;
  userId: string;
  last4: string;
  action: CardDataAction | 'seal';
  /** The wallet that signed; absent when the data was sealed for the processor, and after the erasure of the user. */
  wallet?: string;
  /** RFC 7638, of the key that the data was encrypted to or the PIN was signed with; absent with the wallet of an erased user. */
  thumbprint?: string;
  at: Date;
};

/** The day (UTC) by which reveals are counted. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Compares two expiries: negative when the first one is earlier. */
export const compareExpiry = (left: Expiry, right: Expiry): number =>
  left.expYear === right.expYear ? left.expMonth - right.expMonth : left.expYear - right.expYear;
