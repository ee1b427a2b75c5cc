import { formatAmount } from '@florin/rpc/money';
import type { Challenge, Decision } from './challenge.ts';
import type { Merchant } from './merchant.ts';

const ACTION: Readonly<Record<Decision, string>> = { approve: 'APPROVE', decline: 'DECLINE' };

/** The name can be chosen by the merchant, the id is assigned by the acquirer: both are signed. */
const merchantLines = ({ displayName, id, country }: Merchant, quoted: boolean): string[] => [
  `Merchant: ${displayName === undefined ? 'not named' : quoted ? `"${displayName}"` : displayName}${country === undefined ? '' : ` (${country})`}`,
  ...(id === undefined ? [] : [`Merchant ID: ${id}`]),
];

/** The facts of a challenge that are signed. */
type SignedFacts = Pick<Challenge, 'id' | 'amount' | 'currency' | 'decimals' | 'last4' | 'merchant' | 'expiresAt'>;

/**
 * The text that a wallet displays and the cardholder signs: dynamic linking of the decision to amount and payee (PSD2 RTS Art. 5),
 * and to card, challenge and expiry. Florin's lines precede the merchant's, so that a merchant's name cannot pose as one of them;
 * merchant fields contain no line breaks or invisible characters (FORMAT_MERCHANT_TEXT of the contract), and a challenge's name is a readable one
 * (`readable-name.ts`).
 * @param quoted puts the merchant's name in quotation marks, which no name contains. Programs compare this text with the challenge line by line, so those of earlier releases get the name
 * without
 */
export const authorizationText = (challenge: SignedFacts, decision: Decision, { quoted = false }: { quoted?: boolean } = {}): string =>
  [
    ...(challenge.amount === ''
      ? [`${ACTION[decision]} this use of the card`, 'Amount: none']
      : [
          `${ACTION[decision]} this card payment`,
          `Amount: ${formatAmount(BigInt(challenge.amount), challenge.decimals)} ${challenge.currency}`,
        ]),
    `Card: **** ${challenge.last4}`,
    ...merchantLines(challenge.merchant, quoted),
    `Challenge: ${challenge.id}`,
    `Expires: ${challenge.expiresAt.toISOString()}`,
  ].join('\n');

/** The text of a decision in the form in which it was issued: of the two, which say the same, the quoted one only if that was it. */
export const textAsIssued = (challenge: SignedFacts, decision: Decision, issued: string): string => {
  const quoted = authorizationText(challenge, decision, { quoted: true });
  return issued === quoted ? quoted : authorizationText(challenge, decision);
};
