import type { Challenge } from './challenge.ts';

/** A payment that presents an authentication. */
export type PresentedPayment = { cardId: string; paymentId: string; amount: bigint; currency: string };

/** Whether an approved challenge covers a payment: the same card and currency, and at most the approved amount (PSD2 RTS, Article 5). */
export const isCoveredBy = (
  { status, cardId, currency, amount }: Pick<Challenge, 'status' | 'cardId' | 'currency' | 'amount'>,
  payment: PresentedPayment,
): boolean =>
  status === 'approved' &&
  cardId === payment.cardId &&
  currency === payment.currency &&
  payment.amount <= BigInt(amount === '' ? 0 : amount);
