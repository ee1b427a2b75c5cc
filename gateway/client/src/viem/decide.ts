import type { Client } from '../create-client.ts';
import type { ThreeDSChallenge } from '../generated/schemas.ts';
import { expectTypedText } from './expected-text.ts';
import { formatAmount } from './format-amount.ts';
import { signTyped, type Wallet } from './wallet.ts';

export type Decision = 'approve' | 'decline';

const ACTION: Readonly<Record<Decision, string>> = { approve: 'APPROVE', decline: 'DECLINE' };

/** The merchant's line. A platform of an earlier release leaves the quotation marks out. */
const merchantLine = (name: string, country: string | undefined): RegExp => {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const where = country === undefined ? '' : literal(` (${country})`);
  return new RegExp(`^Merchant: (?:${literal(name)}|"${literal(name)}")${where}$`, 'u');
};

/** The text that a decision has to have (dynamic linking, PSD2 RTS Art. 5). Its grammar is in the guide 3-D Secure. */
const linesOf = (
  { id, amount, currency, decimals, cardLast4, merchant, expiresAt }: ThreeDSChallenge,
  decision: Decision,
): (string | RegExp)[] => {
  const { displayName = 'not named', country } = merchant;
  const payment =
    amount === undefined
      ? [`${ACTION[decision]} this use of the card`, 'Amount: none']
      : [`${ACTION[decision]} this card payment`, `Amount: ${formatAmount(amount, decimals ?? 0)} ${currency}`];
  return [
    ...payment,
    `Card: **** ${cardLast4}`,
    merchantLine(displayName, country),
    ...(merchant.id === undefined ? [] : [`Merchant ID: ${merchant.id}`]),
    `Challenge: ${id}`,
    `Expires: ${expiresAt}`,
  ];
};

export type PreparedDecision = {
  /** The text that the wallet will show. */
  text: string;
  /** Until when the decision can be submitted. */
  expiresAt: string;
  /** Has the wallet sign, and submits the decision. @throws FlorinError, and what the wallet throws */
  submit: (wallet: Wallet) => Promise<ThreeDSChallenge>;
};

/**
 * Gets the text of a decision, and compares each of its lines with the challenge, so that nobody between the app and the 3-D Secure service can have another payment
 * signed than the one that is shown.
 * @param challenge as the person has seen it
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareDecision = async (
  client: Client,
  { challenge, decision }: { challenge: ThreeDSChallenge; decision: Decision },
): Promise<PreparedDecision> => {
  const { id: challengeId, expiresAt } = challenge;
  const lines = linesOf(challenge, decision);
  const typedData = await client.threeDs.issueDecisionChallenge({ challengeId, decision, quoted: 'true' });
  expectTypedText(typedData, 'Florin 3DS', lines);
  return {
    text: typedData.message.authorization,
    expiresAt,
    submit: async (wallet) => {
      const signature = await signTyped(wallet, typedData);
      return (await client.threeDs.submitDecision({ challengeId, decision, signature })).challenge;
    },
  };
};

/**
 * Approves or declines a card payment. The wallet is not asked unless every line of the text fits the challenge.
 * @param given.challenge as the person has seen it
 * @returns the challenge as it is then
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const decide = async (
  client: Client,
  wallet: Wallet,
  given: { challenge: ThreeDSChallenge; decision: Decision },
): Promise<ThreeDSChallenge> => (await prepareDecision(client, given)).submit(wallet);
