import type { Amount } from '@florin/rpc/money';
import type { Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';

/** The changes by an event, besides its record. */
export type Change = { event?: PaymentEvent; state?: Partial<Payment>; effects?: readonly NewEffect[] };

export const atMost = (limit: Amount, amount: Amount): Amount => (amount < limit ? amount : limit);
