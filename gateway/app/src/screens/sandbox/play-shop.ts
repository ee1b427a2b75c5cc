import type { Input } from '@florin/client';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import type { Merchant } from './merchants.ts';

/** A shop as the card network names it. */
const paidAs = ({ id, name, city, country, categoryCode }: Merchant) => ({ id, name, city, country, categoryCode });

export type Purchase = { cardId: string; amount: string; currency: Input<'sandbox.createPayment'>['currency']; merchant: Merchant };

export type PurchaseResult = { approved: true } | { approved: false; reason: { code: string; message: string } | undefined };

/** Asks the bank for the money, as a shop does once the person is known. The shop takes it with another message, later. */
const authorize = async (purchase: Purchase, challengeId?: string): Promise<PurchaseResult> => {
  const { merchant, cardId, amount, currency } = purchase;
  const decision = await client.sandbox.createPayment({
    cardId,
    amount,
    currency,
    merchant: paidAs(merchant),
    entryMode: 'ecommerce',
    ...(challengeId === undefined ? {} : { threeDsChallengeId: challengeId }),
  });
  void refresh('payments', 'balances', 'cards', 'movements');
  return decision.approved ? { approved: true } : { approved: false, reason: decision.reason };
};

/** Pays without asking the person. */
export const payDirectly = (purchase: Purchase): Promise<PurchaseResult> => authorize(purchase);

const LOOK_MS = 700;
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/** Asks the person first. @returns the id of the question */
export const askForApproval = async ({ cardId, amount, currency, merchant }: Purchase): Promise<string> => {
  const { id, name, country, categoryCode } = merchant;
  const { challengeId } = await client.sandbox.createChallenge({
    cardId,
    amount,
    currency,
    merchant: { id, displayName: name, country, categoryCode },
  });
  void refresh('challenges');
  return challengeId;
};

/**
 * Waits at the till until the person has decided, and then takes the payment.
 * @returns undefined if the person did not approve
 */
export const finishPurchase = async (purchase: Purchase, challengeId: string): Promise<PurchaseResult | undefined> => {
  for (;;) {
    const { challenge } = await client.threeDs.getChallenge({ challengeId });
    if (challenge.status === 'approved') return authorize(purchase, challengeId);
    if (challenge.status !== 'pending' && challenge.status !== 'processing') return undefined;
    await pause();
  }
};
