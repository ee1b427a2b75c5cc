import { formatAmount } from '@florin/kit/money';
import type { TypedDataDefinition } from 'viem';
import type { Challenge, Decision, Merchant } from './challenge.ts';

/** Members of the struct type `Message` in order: their encoding depends on it (EIP-712, encodeType). */
export const MESSAGE_TYPE = [
  { name: 'authorization', type: 'string' },
  { name: 'nonce', type: 'uint256' },
] as const;

export const DOMAIN_NAME = 'Florin 3DS';
export const DOMAIN_VERSION = '1';

/** What a wallet signs for one decision (EIP-712), as it is stored and sent: the nonce as a decimal string. */
export type DecisionTypedData = {
  domainName: string;
  domainVersion: string;
  /** EIP-155. */
  chainId: number;
  authorization: string;
  nonce: string;
};

export const decisionTypedData = (chainId: number, message: { authorization: string; nonce: string }): DecisionTypedData => ({
  domainName: DOMAIN_NAME,
  domainVersion: DOMAIN_VERSION,
  chainId,
  authorization: message.authorization,
  nonce: message.nonce,
});

/** The typed data as EIP-712 tools take it. */
export const toSignable = (data: DecisionTypedData) =>
  ({
    domain: { name: data.domainName, version: data.domainVersion, chainId: data.chainId },
    types: { Message: MESSAGE_TYPE },
    primaryType: 'Message',
    message: { authorization: data.authorization, nonce: BigInt(data.nonce) },
  }) as const satisfies TypedDataDefinition;

const NONCE_BYTES = 32;

/** A nonce of 256 random bits as a decimal string: never guessed, never met twice. */
export const newNonce = (randomBytes: (size: number) => Uint8Array): string =>
  BigInt(`0x${Buffer.from(randomBytes(NONCE_BYTES)).toString('hex')}`).toString();

const ACTION: Readonly<Record<Decision, string>> = { approve: 'APPROVE this card payment', decline: 'DECLINE this card payment' };

const merchantText = ({ displayName, id, country }: Merchant): string => {
  const name = displayName ?? id ?? 'not named';
  return country === undefined ? name : `${name} (${country})`;
};

/** What of a challenge is signed. */
export type SignedFacts = Pick<Challenge, 'id' | 'amount' | 'currency' | 'decimals' | 'last4' | 'merchant' | 'expiresAt'>;

/**
 * The text that a wallet shows and the person signs: dynamic linking of the decision to amount and payee (PSD2 RTS Art. 5), and
 * to card, challenge and end of time. What Florin says comes before what the merchant says, so that a merchant's name cannot
 * speak first; names are free of line breaks and invisible characters when they get here.
 */
export const authorizationText = (challenge: SignedFacts, decision: Decision): string =>
  [
    ACTION[decision],
    `Amount: ${formatAmount(BigInt(challenge.amount), challenge.decimals)} ${challenge.currency}`,
    `Card: **** ${challenge.last4}`,
    `Merchant: ${merchantText(challenge.merchant)}`,
    `Challenge: ${challenge.id}`,
    `Expires: ${challenge.expiresAt.toISOString()}`,
  ].join('\n');
