import { derivedId } from '@florin/rpc/runtime';

const derive = (...parts: readonly string[]): string => derivedId(JSON.stringify(parts));

/** Id of the payment that all events with this transaction id belong to. Events that race for a new payment therefore meet in one document. */
export const paymentIdOf = (processor: string, transactionId: string): string => derive('florin payment', processor, transactionId);

/** Id of the payment that begins with an event without a transaction id. */
export const paymentIdOfEvent = (processor: string, eventId: string): string => derive('florin payment of event', processor, eventId);

/** Id of the exception by which a report is kept that belongs to no payment. */
export const exceptionIdOf = (processor: string, eventId: string): string => derive('florin exception', processor, eventId);

/** Id of the exception by which a person learns that the ledger rejects an order. */
export const rejectionIdOf = (orderId: string): string => derive('florin rejected order', orderId);

/** Id of the claim of an event. */
export const claimIdOf = (processor: string, eventId: string): string => `${processor}:${eventId}`;

/** Id of the claim of what an acquirer presents to a card and those that replace it under a reference: an amount, once. */
export const presentmentIdOf = (
  { processor, accountId, cardId, seriesId = cardId }: { processor: string; accountId: string; cardId: string; seriesId?: string },
  { type, amount, currency }: { type: string; amount?: bigint | undefined; currency?: string | undefined },
  reference: string,
): string => derive('florin presentment', processor, accountId, seriesId, type, String(amount), String(currency), reference);

/** Id of the claim of a single message in suspense, by its first report. */
export const suspendedIdOf = (processor: string, cardId: string, transactionId: string): string =>
  derive('florin single message in suspense', processor, cardId, transactionId);

/** Id of the claim of a report by the settlement record that settles it. */
export const settledIdOf = (paymentId: string, eventId: string): string => derive('florin settled report', paymentId, eventId);

/** Id of what an event orders from the ledger: the idempotency key of the order. */
export const orderIdOf = (paymentId: string, eventId: string, purpose: string): string =>
  derive('florin order', paymentId, eventId, purpose);

/**
 * Id of the hold, or of the change to a hold, that an event orders. Each request has its own: releasing what an abandoned request may have held never
 * touches the hold of another request of the same payment.
 */
export const holdIdOf = (paymentId: string, eventId: string): string => orderIdOf(paymentId, eventId, 'hold');
