import type { Amount } from '@florin/rpc/money';
import { approvedIn, type Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/**
 * What a reversal releases, in the billing currency; undefined for all. An amount that we convert ourselves is converted as the authorization was,
 * whatever the rate is now: the reversal of all that was approved and not cleared releases all that is held. The parts that several reversals release
 * add up.
 */
export const reversedAmount = (payment: Payment, { amount, currency, billing, fx }: PaymentEvent): Amount | undefined => {
  if (fx === undefined || amount === undefined || currency === undefined) return billing;
  const approved = approvedIn(payment, currency);
  if (approved === undefined || approved === 0n) return billing;
  const sumOf = (type: PaymentEventType): Amount =>
    payment.events.reduce((sum, event) => (event.type === type && event.currency === currency ? sum + (event.amount ?? 0n) : sum), 0n);
  const before = sumOf('reversal');
  if (before + sumOf('clearing') + amount >= approved) return undefined;
  const held = payment.events.reduce((sum, { decision }) => sum + (decision?.billing ?? 0n), 0n);
  return (held * (before + amount)) / approved - (held * before) / approved;
};
