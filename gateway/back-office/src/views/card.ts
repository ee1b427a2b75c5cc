import { CardActor, CardStatus, type Card as WireCard } from '@florin/proto/card/v1/card';
import { DisputeStage, type PaymentDispute, PaymentKind, PaymentStatus, type Payment as WirePayment } from '@florin/proto/card/v1/payment';
import type { CardControls, CardLimits, ControlList } from '@florin/proto/card/v1/spending';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Card, CardRules, Payment, PaymentDetail } from '../contract/index.ts';
import { currencyAmount } from './money.ts';
import { isoOf, isoUnlessAbsent, unlessEmpty, wordOf } from './words.ts';

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

const listOf = (list: ControlList | undefined): CardRules['categories'] => ({ allow: list?.allow ?? [], deny: list?.deny ?? [] });

/** The limits and controls that the cardholder and the program have set for a card, with what is used of the limits. */
export const toCardRules = (limits: CardLimits | undefined, controls: CardControls | undefined): CardRules => ({
  limits: (['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const).flatMap((name) => {
    const limit = limits?.[name];
    if (limits === undefined || limit === undefined) return [];
    const { amount, used, resetsAt } = limit;
    const unit = currencyAmount(amount, limits.currency);
    return [{ name, ...unit, ...unlessEmpty('used', used), ...isoUnlessAbsent('resetsAt', resetsAt) }];
  }),
  categories: listOf(controls?.categories),
  countries: listOf(controls?.countries),
  merchants: listOf(controls?.merchants),
  off: (['online', 'contactless', 'atm'] as const).filter((way) => controls?.[`${way}Off`] === true),
  isSingleUse: controls?.singleUse === true,
});

export const toDispute = (dispute: PaymentDispute): NonNullable<Payment['dispute']> => ({
  id: dispute.id,
  status: dispute.status,
  stage: wordOf(DisputeStage, dispute.stage),
  reason: dispute.reason,
  amount: dispute.amount,
  credited: dispute.creditedAmount,
  ...isoUnlessAbsent('openedAt', dispute.openedAt),
  ...isoUnlessAbsent('deadline', dispute.deadline),
});

/** All disputes of a payment, the latest one first. */
export const disputesOf = ({ dispute, earlierDisputes }: WirePayment): PaymentDispute[] => [
  ...(dispute === undefined ? [] : [dispute]),
  ...earlierDisputes,
];

/** Ids of those who took steps of disputes. */
export const disputersOf = (payment: WirePayment): string[] =>
  disputesOf(payment).flatMap(({ steps }) => steps.map(({ actor }) => operatorIdOf(actor)));

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
  ...isoUnlessAbsent('holdExpiresAt', payment.expiresAt),
  ...(payment.dispute === undefined ? {} : { dispute: toDispute(payment.dispute) }),
});

/** @param names of operators, by their ids */
export const toPaymentDetail = (payment: WirePayment, names: ReadonlyMap<string, string>): PaymentDetail => ({
  ...toPayment(payment),
  ...unlessEmpty('authorizationCode', payment.authorizationCode),
  ...unlessEmpty('retrievalReference', payment.retrievalReference),
  ...unlessEmpty('transactionId', payment.transactionId),
  events: payment.events.map(({ id, type, at, amount, approved, responseCode, declineReason }) => ({
    ...{ id, type, at: isoOf(at), amount, approved, responseCode },
    ...unlessEmpty('decline', declineReason?.code ?? ''),
  })),
  ledgerEntries: payment.ledgerEntries,
  disputes: disputesOf(payment).map((dispute) => ({
    ...toDispute(dispute),
    ...unlessEmpty('networkCaseId', dispute.networkCaseId),
    ...unlessEmpty('networkReasonCode', dispute.networkReasonCode),
    steps: dispute.steps.map(({ eventId, stage, at, amount, note, actor }) => ({
      id: eventId,
      stage: wordOf(DisputeStage, stage),
      at: isoOf(at),
      ...unlessEmpty('amount', amount),
      note,
      by: names.get(operatorIdOf(actor)) ?? actor,
    })),
  })),
});
