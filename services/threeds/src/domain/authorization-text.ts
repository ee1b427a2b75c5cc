import { formatAmount } from '@florin/rpc/money';
import type { Challenge, Decision, Merchant } from './challenge.ts';

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
