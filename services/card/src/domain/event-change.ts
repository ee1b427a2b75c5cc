import type { Amount } from '@florin/rpc/money';
import type { Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';

/** What an event changes, besides being recorded. */
export type Change = { event?: PaymentEvent; state?: Partial<Payment>; effects?: readonly NewEffect[] };

export const atMost = (limit: Amount, amount: Amount): Amount => (amount < limit ? amount : limit);
