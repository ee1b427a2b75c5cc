import type { Payment } from '../domain/payment.ts';
import { eventsAtPurchase } from '../domain/related-refund.ts';
import type { CardStore } from '../store/cards.ts';
import type { PaymentStore } from '../store/payments.ts';
import { findCounterparts } from './find-payments.ts';
import type { EventRecorder } from './record-payment-event.ts';

type RelatingParts = {
  payments: Pick<PaymentStore, 'find' | 'findRecent'>;
  cards: Pick<CardStore, 'find' | 'findSeries'>;
  record: EventRecorder;
};

/** Relates refunds under a transaction id of their own with the payments that they refund. All of it is safe to repeat. */
export type Relating = {
  /**
   * Tells a payment of a refund.
   * @returns the refunded payment with what the refund counts there; undefined when there is none
   */
  tell: (refund: Payment, paymentId: string) => Promise<Payment | undefined>;
  /**
   * Finds what came before a payment, or at the same time, and did not know it: of a refund its purchase, of a purchase its refunds.
   * @returns the refunds, which name their purchase from now on, and are to tell it
   */
  match: (payment: Payment) => Promise<Payment[]>;
};

export const createRelating = ({ payments, cards, record }: RelatingParts): Relating => ({
  tell: async (refund, paymentId) => {
    let payment = await payments.find(paymentId);
    if (payment === undefined) return undefined;
    for (const event of eventsAtPurchase(refund)) payment = await record(payment, event, payment);
    return payment;
  },
  match: async (payment) => {
    const card = await cards.find(payment.cardId);
    const pairs = card === undefined ? [] : await findCounterparts({ payments, cards }, payment, card);
    const related: Payment[] = [];
    for (const { refund, purchase } of pairs) {
      const event = {
        id: `purchase:${purchase.id}`,
        type: 'related_purchase',
        at: payment.updatedAt,
        relatedPaymentId: purchase.id,
      } as const;
      related.push(await record(refund, event, refund));
    }
    return related;
  },
});
