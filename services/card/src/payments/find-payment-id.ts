import type { Card } from '../domain/card.ts';
import { type Payment, refundsOf } from '../domain/payment.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput } from './event-input.ts';

/** How far back an event without a transaction id looks for its payment. */
const WINDOW_MS = 30 * 86_400_000;

const sameMerchant = (payment: Payment, { merchant }: EventInput): boolean => {
  if (merchant === undefined || payment.merchant === undefined) return false;
  return merchant.id === undefined ? merchant.name === payment.merchant.name : merchant.id === payment.merchant.id;
};

/** Reports whether the payment has an event with this amount that the new one may follow. */
const sameAmount = ({ events }: Payment, { money }: EventInput): boolean =>
  money !== undefined && events.some(({ amount, currency }) => amount === money.amount && currency === money.currency);

/** Reports whether the payment may still take an event of this type: a clearing wants a hold, a refund something cleared. */
const awaits = (payment: Payment, { type }: EventInput): boolean => {
  if (type === 'refund' || type === 'credit_announced' || type === 'correction_credit') return payment.cleared > refundsOf(payment);
  if (type === 'refund_reversal') return refundsOf(payment) > 0n;
  return payment.holdId !== undefined && payment.ended === undefined;
};

/** Reports whether the payment has the authorization code of the event, or its retrieval reference where there is no code. */
const sameReference = (payment: Payment, { authorizationCode, retrievalReference }: EventInput): boolean => {
  const known = payment.retrievalReference;
  if (authorizationCode === undefined) return retrievalReference !== undefined && retrievalReference === known;
  const conflicts = retrievalReference !== undefined && known !== undefined && retrievalReference !== known;
  return payment.authorizationCode === authorizationCode && !conflicts;
};

/**
 * Finds the payment of an event that carries no transaction id, or one of its own: by authorization code and retrieval reference, whenever it was made;
 * else by merchant and amount among the latest payments.
 * @returns undefined when none fits: the event then begins a payment of its own
 */
export const findPaymentId = async (
  payments: Pick<PaymentStore, 'findRecent' | 'findByNetworkReference'>,
  input: EventInput,
  { accountId }: Pick<Card, 'accountId'>,
  now: Date,
): Promise<string | undefined> => {
  if (input.type === 'credit' || input.type === 'balance_inquiry') return undefined;
  // A processor reports about its own payments only.
  const isOwn = ({ processor, cardId }: Payment): boolean => processor === input.processor && cardId === input.cardId;
  const { authorizationCode, retrievalReference } = input;
  if (authorizationCode !== undefined || retrievalReference !== undefined) {
    const named = await payments.findByNetworkReference(accountId, input);
    const byReference = named.find((payment) => isOwn(payment) && sameReference(payment, input));
    if (byReference !== undefined) return byReference.id;
  }
  const recent = await payments.findRecent(input.cardId, new Date(now.getTime() - WINDOW_MS));
  return recent.find((one) => isOwn(one) && awaits(one, input) && sameMerchant(one, input) && sameAmount(one, input))?.id;
};
