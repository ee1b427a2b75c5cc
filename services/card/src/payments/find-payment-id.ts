import type { Card } from '../domain/card.ts';
import { isOfCredits, type Payment, paymentStatus, refundsOf, sameCard } from '../domain/payment.ts';
import type { PaymentEventType } from '../domain/payment-event.ts';
import { awaitsPresentment } from '../domain/record-single-message.ts';
import type { CardStore } from '../store/cards.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput } from './event-input.ts';

/** How far back an event without a transaction id looks for its payment. */
const WINDOW_MS = 30 * 86_400_000;

type FindingParts = {
  payments: Pick<PaymentStore, 'findRecent' | 'findByNetworkReference' | 'findByNetworkTransaction'>;
  cards: Pick<CardStore, 'findSeries'>;
};

const sameMerchant = (payment: Payment, { merchant }: EventInput): boolean => {
  if (merchant === undefined || payment.merchant === undefined) return false;
  return merchant.id === undefined ? merchant.name === payment.merchant.name : merchant.id === payment.merchant.id;
};

/** Reports whether the payment has an event with this amount that the new one may follow. */
const sameAmount = ({ events }: Payment, { money }: EventInput): boolean =>
  money !== undefined && events.some(({ amount, currency }) => amount === money.amount && currency === money.currency);

const isOpen = ({ holdId, ended }: Payment): boolean => holdId !== undefined && ended === undefined;

/** Reports whether the payment may still take an event of this type: a clearing wants a hold, a refund something cleared. */
const awaits = (payment: Payment, { type }: EventInput): boolean => {
  if (type === 'refund' || type === 'credit_announced' || type === 'credit_request' || type === 'correction_credit')
    return payment.cleared > refundsOf(payment);
  if (type === 'refund_reversal') return refundsOf(payment) > 0n;
  if (type === 'announcement_reversal') return payment.pendingCredit > 0n;
  if (type === 'second_presentment') return payment.dispute !== undefined;
  return isOpen(payment);
};

/** Reports whether the payment has the authorization code of the event, or its retrieval reference where there is no code. */
const sameReference = (payment: Payment, { authorizationCode, retrievalReference }: EventInput): boolean => {
  const known = payment.retrievalReference;
  if (authorizationCode === undefined) return retrievalReference !== undefined && retrievalReference === known;
  const conflicts = retrievalReference !== undefined && known !== undefined && retrievalReference !== known;
  return payment.authorizationCode === authorizationCode && !conflicts;
};

/** A processor reports about its own payments only. */
const isOwn = (payment: Payment, { processor }: EventInput, card: Card): boolean =>
  payment.processor === processor && sameCard(payment, { ...card, cardId: card.id });

/**
 * Chooses among the payments with the references of an event, newest first. A refund keeps the references of its purchase, and so does a request that the
 * merchant repeats after a decline: the event belongs to the purchase.
 */
const chosenFrom = (named: readonly Payment[], input: EventInput): Payment | undefined => {
  const purchases = named.filter((one) => !isOfCredits(one));
  const purchase =
    purchases.find((one) => awaits(one, input)) ?? purchases.find((one) => paymentStatus(one) !== 'declined') ?? purchases[0];
  // An event without a transaction id of its own may be about a refund alone.
  return purchase ?? (input.transactionId === undefined ? named[0] : undefined);
};

/** Events that change a payment, and name it by its transaction id, or else by the network's. */
const UPDATING: ReadonlySet<PaymentEventType> = new Set(['reversal', 'advice', 'expiry']);

/**
 * The payments with the network's id of the transaction, or of the one that it follows from: a refund follows from its purchase. What follows from a transaction has
 * clearings of its own, and its reversal concerns nothing else.
 */
const namedByNetwork = async (
  payments: Pick<PaymentStore, 'findByNetworkTransaction'>,
  { type, network: { transactionId, originalTransactionId } = {} }: EventInput,
  { accountId }: Card,
): Promise<Payment[]> => {
  const find = async (id: string | undefined) => (id === undefined ? [] : payments.findByNetworkTransaction(accountId, id));
  if (type !== 'clearing' && !UPDATING.has(type)) return find(originalTransactionId ?? transactionId);
  const same = await find(transactionId);
  return same.length > 0 || type !== 'clearing' ? same : find(originalTransactionId);
};

/**
 * Finds the payment of an event that carries no transaction id, or one of its own: by the network's id of the transaction, or by authorization code and
 * retrieval reference, whenever it was made;
 * else by merchant and amount among the latest payments.
 * @returns undefined when none fits: the event then begins a payment of its own
 */
export const findPaymentId = async (
  { payments, cards }: FindingParts,
  input: EventInput,
  card: Card,
  now: Date,
): Promise<string | undefined> => {
  if (input.type === 'credit' || input.type === 'balance_inquiry') return undefined;
  const { authorizationCode, retrievalReference } = input;
  const named = (await namedByNetwork(payments, input, card)).filter((payment) => isOwn(payment, input, card));
  const byNetwork = chosenFrom(named, input);
  if (byNetwork !== undefined) return byNetwork.id;
  if (authorizationCode !== undefined || retrievalReference !== undefined) {
    const referred = await payments.findByNetworkReference(card.accountId, input);
    const byReference = chosenFrom(
      referred.filter((payment) => isOwn(payment, input, card) && sameReference(payment, input)),
      input,
    );
    if (byReference !== undefined) return byReference.id;
  }
  const recent = await payments.findRecent(await cards.findSeries(card), new Date(now.getTime() - WINDOW_MS));
  const alike = recent.filter((one) => isOwn(one, input, card) && sameMerchant(one, input) && sameAmount(one, input));
  // Of a purchase that is not cleared yet, a refund reduces what can be disputed later.
  const isEarly = (one: Payment): boolean => input.type === 'refund' && isOpen(one) && refundsOf(one) === 0n;
  return (alike.find((one) => awaits(one, input)) ?? alike.find(isEarly))?.id;
};

/** A clearing of it comes late, and books without a hold. */
const isOver = ({ ended }: Payment): boolean => ended === 'expired' || ended === 'reversed';

/** The only one of the payments that fits. */
const onlyOne = (payments: readonly Payment[], fits: (payment: Payment) => boolean): string | undefined => {
  const [first, ...others] = payments.filter(fits);
  return others.length === 0 ? first?.id : undefined;
};

/**
 * Finds the payment of an event whose transaction id is not known: clearing files, and some processors' reversals, have ids of their own.
 *
 * A clearing belongs to the only open payment with the network's id of the transaction; else with the authorization code of the event, and with its retrieval
 * reference where both have one; else to the only one that was booked with its authorization and that no clearing has told of; else to the only one that has expired
 * or was reversed. Reversals, advices and expiries belong to the only one with the network's id.
 */
export const findFollowedPaymentId = async (
  { payments }: Pick<FindingParts, 'payments'>,
  input: EventInput,
  card: Card,
): Promise<string | undefined> => {
  const { type, network, undoneRequestId, authorizationCode } = input;
  const isUpdating = UPDATING.has(type) && undoneRequestId === undefined;
  if (type !== 'clearing' && !isUpdating) return undefined;
  const byNetwork = (await namedByNetwork(payments, input, card)).filter((one) => isOwn(one, input, card));
  if (isUpdating) return onlyOne(byNetwork, (one) => !isOfCredits(one) && paymentStatus(one) !== 'declined');
  const open = onlyOne(byNetwork, isOpen);
  if (open !== undefined) return open;
  const referred = authorizationCode === undefined ? [] : await payments.findByNetworkReference(card.accountId, input);
  const byCode = referred.filter((one) => isOwn(one, input, card) && sameReference(one, input));
  const same = byNetwork.filter(({ networkTransactionId }) => networkTransactionId === network?.transactionId);
  return (
    onlyOne(byCode, isOpen) ??
    onlyOne(same, awaitsPresentment) ??
    onlyOne(byCode, awaitsPresentment) ??
    onlyOne(same, isOver) ??
    onlyOne(byCode, isOver)
  );
};
