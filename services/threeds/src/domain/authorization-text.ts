import { formatAmount } from '@florin/rpc/money';
import type { Challenge, Decision } from './challenge.ts';
import type { Merchant } from './merchant.ts';

const ACTION: Readonly<Record<Decision, string>> = { approve: 'APPROVE this card payment', decline: 'DECLINE this card payment' };

const merchantText = ({ displayName, id, country }: Merchant): string => {
  const name = displayName ?? id ?? 'not named';
  return country === undefined ? name : `${name} (${country})`;
};

/** The facts of a challenge that are signed. */
export type SignedFacts = Pick<Challenge, 'id' | 'amount' | 'currency' | 'decimals' | 'last4' | 'merchant' | 'expiresAt'>;

/**
 * The text that a wallet displays and the cardholder signs: dynamic linking of the decision to amount and payee (PSD2 RTS Art. 5),
 * and to card, challenge and expiry. Florin's lines precede the merchant's, so that a merchant's name cannot pose as one of them;
 * merchant fields contain no line breaks or invisible characters (`merchantSchema`).
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
