import type { Card } from '../domain/card.ts';
import { isOfCredits, type Payment, paymentStatus, refundsOf, sameCard } from '../domain/payment.ts';
import { isRequest, type PaymentEvent, type PaymentEventType } from '../domain/payment-event.ts';
import { awaitsPresentment } from '../domain/record-single-message.ts';
import type { CardStore } from '../store/cards.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput } from './event-input.ts';

/** How far back an event without a transaction id looks for its payment. */
const WINDOW_MS = 30 * 86_400_000;

type FindingParts = {
  payments: Pick<PaymentStore, 'findRecent' | 'findByNetworkReference' | 'findByTransaction'>;
  cards: Pick<CardStore, 'findSeries'>;
};

const sameMerchant = (payment: Payment, { merchant }: EventInput): boolean => {
  if (merchant === undefined || payment.merchant === undefined) return false;
  return merchant.id === undefined ? merchant.name === payment.merchant.name : merchant.id === payment.merchant.id;
};

/** Reports whether the payment has an event with this amount that the new one may follow. */
const sameAmount = ({ events }: Payment, { money }: EventInput): boolean =>
  money !== undefined && events.some(({ amount, currency }) => amount === money.amount && currency === money.currency);

/** Reports whether the transaction of a payment has this id. */
const isCalled = ({ networkTransactionId, otherIds = [] }: Payment, id: string | undefined): boolean =>
  id !== undefined && (id === networkTransactionId || otherIds.includes(id));

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
const sameReference = (
  payment: Payment,
  { authorizationCode, retrievalReference }: Pick<EventInput, 'authorizationCode' | 'retrievalReference'>,
): boolean => {
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

/** Events of clearing files that are about one authorization. */
const PRESENTING: ReadonlySet<PaymentEventType> = new Set(['clearing', 'second_presentment']);

/** Purchases that were not declined. */
const standing = (named: readonly Payment[]): Payment[] => named.filter((one) => !isOfCredits(one) && paymentStatus(one) !== 'declined');

/** Events that change a payment, and name it by its transaction id, or else by the network's. */
const UPDATING: ReadonlySet<PaymentEventType> = new Set(['reversal', 'advice', 'expiry']);

/** Reports whether an event may belong to a payment that began under another transaction id. Of requests only an increment does: all others begin one. */
export const mayFollow = (type: PaymentEventType): boolean => !isRequest(type) || type === 'increment';

/** The processor's payments whose transaction has this id. */
const ofTransaction = async (
  payments: Pick<PaymentStore, 'findByTransaction'>,
  id: string | undefined,
  input: EventInput,
  card: Card,
): Promise<Payment[]> =>
  id === undefined ? [] : (await payments.findByTransaction(card.accountId, id)).filter((one) => isOwn(one, input, card));

/**
 * The processor's payments with the network's id of the transaction, or of the transaction that it follows from: a refund follows from its purchase. A transaction that follows from
 * another has clearings and increments of its own, and its reversal concerns nothing else.
 */
const namedByNetwork = async (payments: Pick<PaymentStore, 'findByTransaction'>, input: EventInput, card: Card): Promise<Payment[]> => {
  const { type, network: { transactionId, originalTransactionId } = {} } = input;
  const find = (id: string | undefined): Promise<Payment[]> => ofTransaction(payments, id, input, card);
  if (!PRESENTING.has(type) && !UPDATING.has(type) && type !== 'increment') return find(originalTransactionId ?? transactionId);
  const same = await find(transactionId);
  return same.length > 0 || UPDATING.has(type) ? same : find(originalTransactionId);
};

/** The payments that an event names: by the network's id of the transaction, and by code or reference, which are looked up when they are asked for, once. */
type Named = { byNetwork: readonly Payment[]; byReference: () => Promise<readonly Payment[]> };

const namedBy = async (payments: FindingParts['payments'], input: EventInput, card: Card): Promise<Named> => {
  const find = async (): Promise<readonly Payment[]> => {
    if (input.authorizationCode === undefined && input.retrievalReference === undefined) return [];
    const found = await payments.findByNetworkReference(card.accountId, input);
    return found.filter((one) => isOwn(one, input, card) && sameReference(one, input));
  };
  let referred: Promise<readonly Payment[]> | undefined;
  return {
    byNetwork: await namedByNetwork(payments, input, card),
    byReference: () => {
      referred ??= find();
      return referred;
    },
  };
};

/** A clearing of it comes late, and books without a hold. */
const isOver = ({ ended }: Payment): boolean => ended === 'expired' || ended === 'reversed';

/**
 * The payments that a presentment names and fits best. Of a clearing these are the open ones with the network's id of the transaction; else with the authorization code of
 * the event, and with its retrieval reference where both have one (without a transaction id, the reference may stand alone); else those that were booked with their
 * authorizations and that no clearing has told of; else those that have expired or were reversed. A second presentment is about a disputed payment, open or not.
 */
const presentedBy = async ({ byNetwork, byReference }: Named, input: EventInput): Promise<readonly Payment[]> => {
  const { type, transactionId, network, authorizationCode } = input;
  const fitting = (one: Payment): boolean => awaits(one, input);
  const best = byNetwork.filter(fitting);
  if (best.length > 0) return best;
  const byCode = authorizationCode === undefined && transactionId !== undefined ? [] : await byReference();
  const same = byNetwork.filter((one) => isCalled(one, network?.transactionId));
  const late = type === 'clearing' ? [awaitsPresentment, isOver].flatMap((fits) => [same.filter(fits), byCode.filter(fits)]) : [];
  return [byCode.filter(fitting), ...late].find(({ length }) => length > 0) ?? [];
};

/**
 * Finds the payment of an event that carries no transaction id, or one of its own: by the network's id of the transaction, or by authorization code and
 * retrieval reference, whenever it was made; else by merchant and amount among the latest payments.
 * @returns the payment that fits best. The event begins a payment of its own when none does, or when a presentment fits several equally well: none of them is known to be the
 * right one, and what fits less well is worse
 */
export const findPayments = async (
  { payments, cards }: FindingParts,
  input: EventInput,
  card: Card,
  now: Date,
): Promise<readonly Payment[]> => {
  if (input.type === 'credit' || input.type === 'balance_inquiry') return [];
  const named = await namedBy(payments, input, card);
  const presented = PRESENTING.has(input.type) ? await presentedBy(named, input) : [];
  if (presented.length > 0) return presented;
  for (const find of [async () => named.byNetwork, named.byReference]) {
    const found = await find();
    if (PRESENTING.has(input.type) && standing(found).length > 1) return standing(found);
    const chosen = chosenFrom(found, input);
    if (chosen !== undefined) return [chosen];
  }
  const recent = await payments.findRecent(await cards.findSeries(card), new Date(now.getTime() - WINDOW_MS));
  const alike = recent.filter((one) => isOwn(one, input, card) && sameMerchant(one, input) && sameAmount(one, input));
  // Of a purchase that is not cleared yet, a refund reduces what can be disputed later.
  const isEarly = (one: Payment): boolean => input.type === 'refund' && isOpen(one) && refundsOf(one) === 0n;
  const chosen = alike.find((one) => awaits(one, input)) ?? alike.find(isEarly);
  return chosen === undefined ? [] : [chosen];
};

/**
 * Finds the payment of an event whose transaction id is that of no payment's first event: clearing files, and some processors' reversals and increments, have ids of their own. It
 * belongs to the one of which an earlier event had that id. Otherwise a presentment belongs to the only one that it names and fits best; reversals, advices and expiries to the
 * only one with the network's id of the transaction; an increment to the only open one that it names.
 * @returns several payments where none of them is known to be the right one
 */
export const findFollowed = async (
  { payments }: Pick<FindingParts, 'payments'>,
  input: EventInput,
  card: Card,
): Promise<readonly Payment[]> => {
  const { type, transactionId, undoneRequestId } = input;
  if (undoneRequestId !== undefined || !mayFollow(type)) return [];
  const known = await ofTransaction(payments, transactionId, input, card);
  if (known.length > 0) return known;
  if (PRESENTING.has(type)) return presentedBy(await namedBy(payments, input, card), input);
  if (UPDATING.has(type)) return standing(await namedByNetwork(payments, input, card));
  if (type !== 'increment') return [];
  const { byNetwork, byReference } = await namedBy(payments, input, card);
  const open = byNetwork.filter(isOpen);
  return open.length > 0 ? open : (await byReference()).filter(isOpen);
};

/** Reports whether a refund names a payment: by the network's id of the transaction, or by authorization code and retrieval reference. */
const names = (refund: Payment, purchase: Payment): boolean => {
  const isNamed = ({ network }: PaymentEvent): boolean => isCalled(purchase, network?.originalTransactionId ?? network?.transactionId);
  return refund.events.some(isNamed) || sameReference(purchase, refund);
};

/** Finds the refunds that name a payment, and the payments that a refund names, among the latest ones that are not related to any. */
export const findCounterparts = async (
  { payments, cards }: Pick<FindingParts, 'cards'> & { payments: Pick<PaymentStore, 'findRecent'> },
  payment: Payment,
  card: Card,
): Promise<{ refund: Payment; purchase: Payment }[]> => {
  const recent = await payments.findRecent(await cards.findSeries(card), new Date(payment.createdAt.getTime() - WINDOW_MS));
  const pairs = recent.map((one) => (one.kind === 'refund' ? { refund: one, purchase: payment } : { refund: payment, purchase: one }));
  return pairs.filter(
    ({ refund, purchase }) =>
      refund.kind === 'refund' &&
      (purchase.kind === 'payment' || purchase.kind === 'atm') &&
      refund.processor === purchase.processor &&
      refund.relatedPaymentId === undefined &&
      names(refund, purchase),
  );
};
