import type { ChallengeStatus } from './challenge-state.ts';
import type { DecisionTypedData } from './decision-typed-data.ts';

export const DECISIONS = ['approve', 'decline'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Who asks for the payment, with the limits of EMV 3DS; what is not known is left out. */
export type Merchant = {
  id?: string;
  displayName?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** ISO 18245. */
  categoryCode?: string;
};

/** One set of typed data that waits for a signature. Together with challenge and decision it is the exact tuple that may be signed. */
export type IssuedTypedData = {
  /** Decimal string of 256 random bits. */
  nonce: string;
  /** The text as the wallet shows it. */
  authorization: string;
  issuedAt: Date;
};

export const SIGNER_TYPES = ['wallet', 'safe'] as const;

/** Who signed: a sign-in wallet, or the user's Safe, which said so at a block of the typed data's chain (EIP-1271). */
export type SignerProof = { signerType: 'wallet' } | { signerType: 'safe'; blockNumber: number };

/** What proves the decision; with what the challenge says of the payment, no other record is needed to verify it. */
export type Receipt = SignerProof & {
  typedData: DecisionTypedData;
  /** 0x-prefixed lower-case hex: 65 bytes, or up to 2048 for a Safe. */
  signature: string;
  /** EIP-55. */
  signer: string;
  issuedAt: Date;
  decidedAt: Date;
};

export type Challenge = {
  id: string;
  /** The caller's own name for it, unique within `callerName`. */
  reference: string;
  /** The service that raised it. */
  callerName: string;
  userId: string;
  cardId: string;
  accountId: string;
  /** EIP-155 id of the account's chain: part of what is signed. */
  chainId: number;
  /** The account's Safe, EIP-55; absent when the ledger named none. */
  safeAddress?: string;
  last4: string;
  /** Integer string in the currency's minor unit. */
  amount: string;
  currency: string;
  /** Digits after the decimal point of `amount`. */
  decimals: number;
  merchant: Merchant;
  /** As stored; `statusAt` tells the truth at a given time. */
  status: ChallengeStatus;
  createdAt: Date;
  expiresAt: Date;
  /** Open typed data per decision, oldest first, at most `MAX_OPEN_TYPED_DATA` each; none once decided. */
  issued: Readonly<Record<Decision, readonly IssuedTypedData[]>>;
  badSignatures: number;
  /** Present once decided, together with `receipt` and `processingSince`. */
  decision?: Decision;
  receipt?: Receipt;
  processingSince?: Date;
};

/** Several devices may ask for typed data of one decision; each further one drops the oldest. */
export const MAX_OPEN_TYPED_DATA = 3;

/** The bad signature with this number ends the challenge. */
export const MAX_BAD_SIGNATURES = 5;

/** What the access control server's confirmation makes of a decision. */
export const confirmedStatus = (decision: Decision): 'approved' | 'declined' => (decision === 'approve' ? 'approved' : 'declined');
