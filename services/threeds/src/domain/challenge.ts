import type { TypedMessage } from '@florin/evm/typed-messages';
import type { ChallengeStatus } from './challenge-state.ts';
import type { Merchant } from './merchant.ts';

export const DECISIONS = ['approve', 'decline'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Typed data that awaits a signature. With its challenge and decision it is the exact tuple that may be signed. */
export type IssuedTypedData = {
  /** Decimal string of 256 random bits. */
  nonce: string;
  /** The text that the wallet displays. */
  authorization: string;
  issuedAt: Date;
};

export const SIGNER_TYPES = ['wallet', 'safe'] as const;

/** The signer: a sign-in wallet, or the user's Safe, which accepted the signature at a block of the typed data's chain (EIP-1271). */
export type SignerProof = { signerType: 'wallet' } | { signerType: 'safe'; blockNumber: number };

/** Proof of the decision. Together with the challenge's payment facts it can be verified without any other record. */
export type Receipt = SignerProof & {
  typedData: TypedMessage;
  /** 0x-prefixed lower-case hex: 65 bytes, or up to 2048 for a Safe. */
  signature: string;
  /** EIP-55. */
  signer: string;
  issuedAt: Date;
  decidedAt: Date;
};

export type Challenge = {
  id: string;
  /** The caller's own id of the challenge, unique per `callerName`. */
  reference: string;
  /** The service that raised the challenge. */
  callerName: string;
  userId: string;
  cardId: string;
  accountId: string;
  /** EIP-155 id of the account's chain: part of what is signed. */
  chainId: number;
  /** The account's Safe, EIP-55; absent if the account has none. */
  safeAddress?: string;
  last4: string;
  /** Integer string in the currency's minor unit; empty without a payment, as the currency. */
  amount: string;
  currency: string;
  /** Digits after the decimal point of `amount`. */
  decimals: number;
  merchant: Merchant;
  /** As stored; `statusAt` is the exact status at a given time. */
  status: ChallengeStatus;
  /** The service that raised it confirms its decision, even if the configured access control server confirms at once. */
  confirmsLater?: true;
  /** The directory server's id of the authentication. */
  dsTransactionId?: string;
  /** The merchant has initiated it without the cardholder. */
  requestorInitiated?: true;
  /** Hash of the authentication value that the access control server has made of the approval. */
  valueHash?: string;
  createdAt: Date;
  expiresAt: Date;
  /** Open typed data per decision, oldest first, at most `MAX_OPEN_TYPED_DATA` each; none once decided. */
  issued: Readonly<Record<Decision, readonly IssuedTypedData[]>>;
  badSignatures: number;
  /** Present once decided, together with `receipt` and `processingSince`. */
  decision?: Decision;
  receipt?: Receipt;
  processingSince?: Date;
  /** The payment that has used the approval up; free again when none of its requests has. */
  consumedBy?: Consumption;
  /** Sandbox: seconds by which the approval is older than its decision. */
  agedSeconds?: number;
  /** The latest requests that were declined, as `useOf`: they use the approval no more. */
  releasedUses?: readonly string[];
};

/** The use of an approval by a payment. */
export type Consumption = {
  paymentId: string;
  at: Date;
  /** The requests that have used it, with what they ask for in the currency's minor unit. */
  requests: readonly { id: string; amount: string }[];
  /** Number of uses: each use is conditional on the one that it has seen. */
  revision: number;
};

/** Several devices may request typed data for one decision; each request beyond the maximum drops the oldest. */
export const MAX_OPEN_TYPED_DATA = 3;

/** Number of bad signatures that ends the challenge. */
export const MAX_BAD_SIGNATURES = 5;

/** The status of a decision that the access control server has confirmed. */
export const confirmedStatus = (decision: Decision): 'approved' | 'declined' => (decision === 'approve' ? 'approved' : 'declined');
