import type { Challenge } from './challenge.ts';

/** A payment that presents an authentication. */
/** @property merchantId empty when it is not known */
export type PresentedPayment = { cardId: string; paymentId: string; amount: bigint; currency: string; merchantId: string };

/**
 * Whether an approved challenge covers a payment: the same card, payee and currency, and at most the approved amount (PSD2 RTS, Article 5). Payees are
 * compared when both sides name them by the acquirer's id.
 */
export const isCoveredBy = (
  { status, cardId, currency, amount, merchant }: Pick<Challenge, 'status' | 'cardId' | 'currency' | 'amount' | 'merchant'>,
  payment: PresentedPayment,
): boolean =>
  status === 'approved' &&
  cardId === payment.cardId &&
  currency === payment.currency &&
  (merchant.id === undefined || payment.merchantId === '' || merchant.id === payment.merchantId) &&
  payment.amount <= BigInt(amount === '' ? 0 : amount);
