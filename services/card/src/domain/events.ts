import { minorUnitDigits } from '@florin/rpc/money';
import type { CardActor, CardStatus } from './card.ts';
import type { CardMerchant } from './card-merchant.ts';
import type { DeclineCode } from './decline-codes.ts';
import { type DisputeStepStage, disputeOf, stepOf } from './dispute.ts';
import { type Payment, type PaymentKind, type PaymentStatus, paymentStatus, refundsOf } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import type { Program } from './program.ts';

/** A card, and its status after the change. */
type CardNamed = { cardId: string; accountId: string; userId: string; last4: string; status: CardStatus };

/** A change of a card, and who made it. */
type CardChanged = CardNamed & { actor: CardActor };

/** Events that this service publishes. They never carry phone numbers or PANs. */
export type CardEvent =
  | { type: 'cardholder.created'; payload: { cardholderId: string; userId: string } }
  | { type: 'cardholder.phone_changed'; payload: { cardholderId: string; userId: string; phoneVerified: boolean } }
  | { type: 'card.issued'; payload: CardNamed }
  | { type: 'card.frozen'; payload: CardChanged }
  | { type: 'card.unfrozen'; payload: CardChanged }
  | { type: 'card.lost'; payload: CardChanged }
  | { type: 'card.stolen'; payload: CardChanged }
  | { type: 'card.cancelled'; payload: CardChanged }
  | { type: 'card.replaced'; payload: CardChanged }
  | { type: 'card.renewed'; payload: CardChanged }
  | { type: 'card.renamed'; payload: CardChanged }
  | { type: PaymentEventName; payload: PaymentChanged };

/** A change of a card transaction. Amounts are integer strings in the minor unit of their currency. */
type PaymentChanged = {
  paymentId: string;
  cardId: string;
  accountId: string;
  userId: string;
  status: PaymentStatus;
  kind: PaymentKind;
  /** Absent from payments that earlier releases have recorded first. */
  last4?: string;
  /** Of the event, in the billing currency; absent for events without an amount. */
  amount?: string;
  currency: string;
  decimals: number;
  /** Of the event, in the currency of the transaction. */
  originalAmount?: string;
  originalCurrency?: string;
  originalDecimals?: number;
  /** Of the payment, after the event. */
  heldAmount: string;
  clearedAmount: string;
  refundedAmount: string;
  merchant?: CardMerchant;
  /** Why a request was declined. */
  reason?: DeclineCode;
  challengeId?: string;
  relatedPaymentId?: string;
} & References &
  Partial<DisputeChanged>;

/** By which the processor, the network and the acquirer know the event and its payment. */
type References = {
  /** The processor's id of the transaction: of the event, else of the payment. */
  processorTransactionId?: string;
  /** The network's id of the transaction: of the event, else of the payment. */
  networkTransactionId?: string;
  authorizationCode?: string;
  retrievalReference?: string;
  /** Acquirer reference number of a clearing or refund. */
  acquirerReference?: string;
};

/** The currency in which cards are billed. */
export type Billing = Pick<Program, 'currency' | 'decimals'>;

/** Of a step of a dispute. */
type DisputeChanged = { disputeId: string; stage: DisputeStepStage; cardBlocked: boolean };

/** An acknowledgement interests the processor alone, and the purchase tells of what a refund counts there. */
type PublishedType = Exclude<PaymentEventType, 'acknowledgement' | 'related_purchase'>;

const isPublished = (event: PaymentEvent): event is PaymentEvent & { type: PublishedType } =>
  event.type !== 'acknowledgement' && event.type !== 'related_purchase';

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

/** Returns the amounts of an event: the approved amount of a request, the asked amount of a declined one. */
const amountsOf = ({ decision, billing, amount, currency, decimals }: PaymentEvent) => {
  const isApproved = decision !== undefined && decision.decline === undefined;
  const [billed, stated] = isApproved ? [decision.billing, decision.amount] : [billing, amount];
  return {
    ...(billed === undefined ? {} : { amount: billed.toString() }),
    ...(stated === undefined || currency === undefined
      ? {}
      : { originalAmount: stated.toString(), originalCurrency: currency, originalDecimals: decimals ?? minorUnitDigits(currency) ?? 0 }),
  };
};

/** The ids of the event, and those of its payment where it has none. A clearing's acquirer reference is its own. */
const referencesOf = (payment: Payment, { transactionId, decision, authorizationCode, network = {} }: PaymentEvent): References => {
  const references: { [K in keyof References]: References[K] | undefined } = {
    processorTransactionId: transactionId ?? payment.transactionId,
    networkTransactionId: network.transactionId ?? payment.networkTransactionId,
    authorizationCode: decision?.authorizationCode ?? authorizationCode ?? payment.authorizationCode,
    retrievalReference: payment.retrievalReference,
    acquirerReference: network.acquirerReference,
  };
  return Object.fromEntries(Object.entries(references).filter(([, reference]) => reference !== undefined));
};

const factsOf = (payment: Payment, event: PaymentEvent, { currency, decimals }: Billing): PaymentChanged => {
  const { id: paymentId, cardId, accountId, userId, kind, last4, merchant, relatedPaymentId } = payment;
  const { decision, challengeId } = event;
  return {
    ...{ paymentId, cardId, accountId, userId, status: paymentStatus(payment), kind, currency, decimals },
    ...(last4 === undefined ? {} : { last4 }),
    ...amountsOf(event),
    heldAmount: payment.held.toString(),
    clearedAmount: payment.cleared.toString(),
    refundedAmount: refundsOf(payment).toString(),
    ...(merchant === undefined ? {} : { merchant }),
    ...(decision?.decline === undefined ? {} : { reason: decision.decline }),
    ...(challengeId === undefined ? {} : { challengeId }),
    ...(relatedPaymentId === undefined ? {} : { relatedPaymentId }),
    ...referencesOf(payment, event),
  };
};

/** The event that tells of an event on a payment, if one does: `payment.declined` for every request that was declined. */
export const paymentEventOf = (payment: Payment, event: PaymentEvent, billing: Billing): CardEvent | undefined => {
  if (!isPublished(event)) return undefined;
  return {
    type: event.decision?.decline === undefined ? PAYMENT_EVENT[event.type] : 'payment.declined',
    payload: { ...factsOf(payment, event, billing), ...disputeChangedBy(payment, event) },
  };
};
