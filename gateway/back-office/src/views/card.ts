import { CardActor, CardStatus, type Card as WireCard } from '@florin/proto/card/v1/card';
import { PaymentKind, PaymentStatus, type Payment as WirePayment } from '@florin/proto/card/v1/payment';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Card, Payment, PaymentDetail } from '../contract/index.ts';
import { isoOf, unlessEmpty, wordOf } from './words.ts';

/** The actor who froze a card for the issuer, as the card's history names them; empty where it names none. */
const freezerOf = ({ frozenBy, history }: WireCard): string =>
  frozenBy === CardActor.ISSUER
    ? (history.findLast(({ action, actor }) => action === 'freeze' && actor === CardActor.ISSUER)?.actorId ?? '')
    : '';

/** Ids of those who froze cards. */
export const freezersOf = (cards: readonly WireCard[]): string[] => cards.map((card) => operatorIdOf(freezerOf(card)));

/** @param names of operators, by their ids */
export const toCard = (card: WireCard, names: ReadonlyMap<string, string>): Card => ({
  id: card.id,
  name: card.name,
  last4: card.last4,
  network: card.network,
  expiresMonth: card.expMonth,
  expiresYear: card.expYear,
  status: wordOf(CardStatus, card.status),
  statusReason: card.statusReason,
  ...(card.frozenBy === CardActor.UNSPECIFIED ? {} : { frozenBy: wordOf(CardActor, card.frozenBy) }),
  ...unlessEmpty('frozenByName', names.get(operatorIdOf(freezerOf(card))) ?? freezerOf(card)),
  createdAt: isoOf(card.createdAt),
  ...unlessEmpty('replacedBy', card.replacedBy),
});

const toDispute = ({ dispute }: WirePayment): Pick<Payment, 'dispute'> =>
  dispute === undefined
    ? {}
    : {
        dispute: {
          id: dispute.id,
          status: dispute.status,
          reason: dispute.reason,
          amount: dispute.amount,
          credited: dispute.creditedAmount,
        },
      };

export const toPayment = (payment: WirePayment): Payment => ({
  id: payment.id,
  cardId: payment.cardId,
  status: wordOf(PaymentStatus, payment.status),
  kind: wordOf(PaymentKind, payment.kind),
  amount: { amount: payment.amount, decimals: payment.decimals, currency: payment.currency },
  original: { amount: payment.originalAmount, decimals: payment.originalDecimals, currency: payment.originalCurrency },
  held: payment.heldAmount,
  cleared: payment.clearedAmount,
  refunded: payment.refundedAmount,
  isCredit: payment.isCredit,
  merchant: {
    name: payment.merchant?.name ?? '',
    city: payment.merchant?.city ?? '',
    country: payment.merchant?.country ?? '',
    categoryCode: payment.merchant?.categoryCode ?? '',
  },
  ...(payment.declineReason === undefined
    ? {}
    : { declineReason: { code: payment.declineReason.code, message: payment.declineReason.message } }),
  ...unlessEmpty('challengeId', payment.challengeId),
  createdAt: isoOf(payment.createdAt),
  updatedAt: isoOf(payment.updatedAt),
  ...toDispute(payment),
});

export const toPaymentDetail = (payment: WirePayment): PaymentDetail => ({
  ...toPayment(payment),
  ...unlessEmpty('authorizationCode', payment.authorizationCode),
  ...unlessEmpty('retrievalReference', payment.retrievalReference),
  ...unlessEmpty('transactionId', payment.transactionId),
  events: payment.events.map(({ id, type, at, amount, approved, responseCode }) => ({
    id,
    type,
    at: isoOf(at),
    amount,
    approved,
    responseCode,
  })),
  ledgerEntries: payment.ledgerEntries,
});
