import type { Payment, PaymentFacts } from './payment.ts';

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
