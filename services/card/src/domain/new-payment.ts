import type { Payment, PaymentFacts, PaymentKind } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/** Events that may refund a payment under a transaction id of their own, or take such a refund back. */
export const REFUNDING: ReadonlySet<PaymentEventType> = new Set([
  ...(['refund', 'refund_reversal', 'credit_announced', 'credit_request', 'announcement_reversal', 'correction_credit'] as const),
]);

/** The kind of a payment that begins with an event. */
export const kindOf = ({
  type,
  atm,
  push,
}: {
  type: PaymentEventType;
  atm?: boolean | undefined;
  push?: boolean | undefined;
}): PaymentKind => {
  if (type === 'credit' || type === 'correction_credit' || push === true) return 'credit';
  if (REFUNDING.has(type)) return 'refund';
  if (type === 'verification' || type === 'balance_inquiry') return 'verification';
  return atm === true ? 'atm' : 'payment';
};

const isPurchase = (kind: PaymentKind): boolean => kind === 'payment' || kind === 'atm';

/** The kind of a payment after an event: a refund or a verification may come before the purchase, which the first event that holds or clears makes of it. */
export const kindAfter = ({ kind }: PaymentFacts, event: PaymentEvent, isCharged: boolean): PaymentKind =>
  isPurchase(kind) || !isCharged || event.type === 'correction_debit' ? kind : kindOf(event);

/** The kind that a payment had before its events. */
export const kindBefore = ({ kind, events: [first] }: Payment): PaymentKind => {
  const begun = first === undefined ? kind : kindOf(first);
  return isPurchase(kind) && !isPurchase(begun) ? begun : kind;
};

/** The facts of a payment alone. */
export const factsOf = ({
  id,
  processor,
  transactionId,
  cardId,
  seriesId,
  accountId,
  userId,
  last4,
  network,
  kind,
  merchant,
  entryMode,
  retrievalReference,
  relatedPaymentId,
  createdAt,
}: PaymentFacts): PaymentFacts => ({
  ...{ id, processor, cardId, accountId, userId, kind, createdAt },
  ...(seriesId === undefined ? {} : { seriesId }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(network === undefined ? {} : { network }),
  ...(transactionId === undefined ? {} : { transactionId }),
  ...(merchant === undefined ? {} : { merchant }),
  ...(entryMode === undefined ? {} : { entryMode }),
  ...(retrievalReference === undefined ? {} : { retrievalReference }),
  ...(relatedPaymentId === undefined ? {} : { relatedPaymentId }),
});

/** A payment without events. */
export const newPayment = (facts: PaymentFacts): Payment => ({
  ...factsOf(facts),
  events: [],
  held: 0n,
  cleared: 0n,
  refunded: 0n,
  pendingCredit: 0n,
  releasedEarly: 0n,
  usages: [],
  effects: [],
  ledgerEntries: [],
  revision: 0,
  updatedAt: facts.createdAt,
});
