import type { Payment } from '../domain/payment.ts';
import { eventsAtPurchase } from '../domain/related-refund.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventRecorder } from './record-payment-event.ts';

type RelatingParts = { payments: Pick<PaymentStore, 'find'>; record: EventRecorder };

/** Tells a payment of the refunds that it has received under a transaction id of their own. Safe to repeat. */
export const createRelating =
  ({ payments, record }: RelatingParts) =>
  /** @returns the refunded payment with what the refund counts there; undefined when there is none */
  async (refund: Payment, paymentId: string): Promise<Payment | undefined> => {
    let payment = await payments.find(paymentId);
    if (payment === undefined) return undefined;
    for (const event of eventsAtPurchase(refund)) payment = await record(payment, event, payment);
    return payment;
  };

export type Relating = ReturnType<typeof createRelating>;
