import type { CardActor, CardStatus } from './card.ts';
import { type DisputeStepStage, disputeOf, stepOf } from './dispute.ts';
import { type Payment, type PaymentStatus, paymentStatus } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/** A change of a card: its status afterwards, and who made the change. */
type CardChanged = { cardId: string; accountId: string; status: CardStatus; actor: CardActor };

/** Events that this service publishes. They never carry phone numbers or PANs. */
export type CardEvent =
  | { type: 'cardholder.created'; payload: { cardholderId: string; userId: string } }
  | { type: 'cardholder.phone_changed'; payload: { cardholderId: string; phoneVerified: boolean } }
  | { type: 'card.issued'; payload: { cardId: string; accountId: string } }
  | { type: 'card.frozen'; payload: CardChanged }
  | { type: 'card.unfrozen'; payload: CardChanged }
  | { type: 'card.lost'; payload: CardChanged }
  | { type: 'card.stolen'; payload: CardChanged }
  | { type: 'card.cancelled'; payload: CardChanged }
  | { type: 'card.replaced'; payload: CardChanged }
  | { type: 'card.renewed'; payload: CardChanged }
  | { type: 'card.renamed'; payload: CardChanged }
  | { type: PaymentEventName; payload: PaymentChanged };

/** A change of a card transaction; amounts and merchants are left out. */
type PaymentChanged = {
  paymentId: string;
  cardId: string;
  accountId: string;
  userId: string;
  status: PaymentStatus;
} & Partial<DisputeChanged>;

/** Of a step of a dispute. */
type DisputeChanged = { disputeId: string; stage: DisputeStepStage; cardBlocked: boolean };

/** An acknowledgement changes nothing that anyone but the processor is interested in. */
type PublishedType = Exclude<PaymentEventType, 'acknowledgement'>;

const isPublished = (event: PaymentEvent): event is PaymentEvent & { type: PublishedType } => event.type !== 'acknowledgement';

const PAYMENT_EVENT = {
  authorization: 'payment.authorized',
  increment: 'payment.incremented',
  decline: 'payment.declined',
  verification: 'payment.verified',
  balance_inquiry: 'payment.balance_inquired',
  advice: 'payment.advised',
  reversal: 'payment.reversed',
  expiry: 'payment.expired',
  clearing: 'payment.cleared',
  force_post: 'payment.force_posted',
  refund: 'payment.refunded',
  refund_reversal: 'payment.refund_reversed',
  related_refund: 'payment.related_refund',
  related_refund_reversal: 'payment.related_refund_reversed',
  credit: 'payment.credited',
  credit_request: 'payment.credit_announced',
  credit_announced: 'payment.credit_announced',
  announcement_reversal: 'payment.announcement_reversed',
  announcement_expiry: 'payment.announcement_expired',
  correction_debit: 'payment.correction_debited',
  correction_credit: 'payment.correction_credited',
  second_presentment: 'payment.second_presentment',
  dispute_opened: 'payment.disputed',
  dispute_chargeback: 'payment.dispute_charged_back',
  dispute_representment: 'payment.dispute_represented',
  dispute_pre_arbitration: 'payment.dispute_pre_arbitration',
  dispute_arbitration: 'payment.dispute_arbitration',
  dispute_won: 'payment.dispute_won',
  dispute_lost: 'payment.dispute_lost',
  dispute_withdrawn: 'payment.dispute_withdrawn',
} as const satisfies Record<PublishedType, string>;

type PaymentEventName = (typeof PAYMENT_EVENT)[PublishedType] | 'payment.declined';

const disputeChangedBy = (payment: Payment, { type, dispute }: PaymentEvent): Partial<DisputeChanged> => {
  const stage = type === 'second_presentment' ? undefined : stepOf(type);
  const found = disputeOf(payment, dispute?.id);
  if (stage === undefined || found === undefined) return {};
  return { disputeId: found.id, stage, ...(stage === 'opened' ? { cardBlocked: found.cardBlocked ?? false } : {}) };
};

/** The event that tells of an event on a payment, if one does: `payment.declined` for every request that was declined. */
export const paymentEventOf = (payment: Payment, event: PaymentEvent): CardEvent | undefined => {
  if (!isPublished(event)) return undefined;
  const { id: paymentId, cardId, accountId, userId } = payment;
  return {
    type: event.decision?.decline === undefined ? PAYMENT_EVENT[event.type] : 'payment.declined',
    payload: { paymentId, cardId, accountId, userId, status: paymentStatus(payment), ...disputeChangedBy(payment, event) },
  };
};
