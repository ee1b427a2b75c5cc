import type { Challenge } from './challenge.ts';

const DAY_MS = 86_400_000;

/**
 * A request of a payment that presents an authentication.
 * @property requestId unique within the payment
 * @property merchantId empty when it is not known
 */
export type PresentedPayment = {
  cardId: string;
  paymentId: string;
  requestId: string;
  amount: bigint;
  currency: string;
  merchantId: string;
};

/** Names one request in `releasedUses`. */
export const useOf = ({ paymentId, requestId }: Pick<PresentedPayment, 'paymentId' | 'requestId'>): string => `${paymentId} ${requestId}`;

/**
 * Whether an approved challenge covers a payment: the same card, payee and currency, and at most the approved amount (PSD2 RTS, Article 5). Payees are
 * compared when both sides name them by the acquirer's id. An approval is used within `maxAgeDays` of the decision; a payment that has used it up in time
 * may present it again later, for example for an increase.
 */
export const isCoveredBy = (
  challenge: Pick<Challenge, 'status' | 'cardId' | 'currency' | 'amount' | 'merchant' | 'receipt' | 'consumedBy' | 'agedSeconds'>,
  payment: PresentedPayment,
  { now, maxAgeDays }: { now: Date; maxAgeDays: number },
): boolean => {
  const { status, cardId, currency, amount, merchant, receipt, consumedBy, agedSeconds = 0 } = challenge;
  const inUse = consumedBy?.paymentId === payment.paymentId && consumedBy.requests.length > 0;
  const usedAt = inUse ? consumedBy.at : now;
  const ageMs = usedAt.getTime() + agedSeconds * 1000 - (receipt?.decidedAt.getTime() ?? 0);
  const isRecent = receipt !== undefined && ageMs <= maxAgeDays * DAY_MS;
  return (
    status === 'approved' &&
    isRecent &&
    cardId === payment.cardId &&
    currency === payment.currency &&
    (merchant.id === undefined || payment.merchantId === '' || merchant.id === payment.merchantId) &&
    payment.amount <= BigInt(amount === '' ? 0 : amount)
  );
};
