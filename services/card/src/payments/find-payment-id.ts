import type { Payment } from '../domain/payment.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput } from './event-input.ts';

/** How far back an event without a transaction id looks for its payment. */
const WINDOW_MS = 30 * 86_400_000;

const sameMerchant = (payment: Payment, { merchant }: EventInput): boolean => {
  if (merchant === undefined || payment.merchant === undefined) return false;
  return merchant.id === undefined ? merchant.name === payment.merchant.name : merchant.id === payment.merchant.id;
};

/** Whether the payment has an event with this amount that the new one may follow. */
const sameAmount = ({ events }: Payment, { money }: EventInput): boolean =>
  money !== undefined && events.some(({ amount, currency }) => amount === money.amount && currency === money.currency);

/** Whether the payment may still take an event of this type: a clearing wants a hold, a refund something cleared. */
const awaits = (payment: Payment, { type }: EventInput): boolean => {
  if (type === 'refund' || type === 'credit_announced' || type === 'correction_credit') return payment.cleared > payment.refunded;
  if (type === 'refund_reversal') return payment.refunded > 0n;
  return payment.holdId !== undefined && payment.ended === undefined;
};

/**
 * Finds the payment of an event that carries no transaction id: by authorization code and retrieval reference, else by merchant and amount.
 * @returns undefined when none fits: the event then begins a payment of its own
 */
export const findPaymentId = async (payments: PaymentStore, input: EventInput, now: Date): Promise<string | undefined> => {
  if (input.type === 'credit' || input.type === 'balance_inquiry') return undefined;
  const ofCard = await payments.findRecent(input.cardId, new Date(now.getTime() - WINDOW_MS));
  // A processor reports about its own payments only.
  const recent = ofCard.filter(({ processor }) => processor === input.processor);
  const { authorizationCode, retrievalReference } = input;
  const byReference = recent.find(
    (payment) =>
      authorizationCode !== undefined &&
      payment.authorizationCode === authorizationCode &&
      (retrievalReference === undefined || payment.retrievalReference === retrievalReference),
  );
  const byAmount = recent.find((payment) => awaits(payment, input) && sameMerchant(payment, input) && sameAmount(payment, input));
  return (byReference ?? byAmount)?.id;
};
