import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type DeclineReasonSchema,
  type PaymentEventSchema,
  PaymentKind,
  type PaymentSchema,
  PaymentStatus,
} from '@florin/proto/card/v1/payment';
import type { PaymentDecisionSchema } from '@florin/proto/card/v1/processor_service';
import { createWords } from '@florin/rpc/contract';
import { minorUnitDigits } from '@florin/rpc/money';
import { authenticationUsed } from '../domain/authentication-effects.ts';
import { overReference } from '../domain/conversion.ts';
import { approvalCode, DECLINE_CODES, type DeclineCode, declineResponseCode } from '../domain/decline-codes.ts';
import { foreignBookingsOf, type OriginalAmount, originalOf } from '../domain/original-amount.ts';
import { declineOf, isCredit, type Payment, paymentAmount, paymentStatus } from '../domain/payment.ts';
import type { Decision, FxConversion, PaymentEvent } from '../domain/payment-event.ts';
import type { Program } from '../domain/program.ts';
import { toWireEntryMode } from './event-fields.ts';
import { toWireNetwork } from './network-fields.ts';
import { toWireDispute } from './to-wire-dispute.ts';

const STATUSES = createWords(PaymentStatus);
const KINDS = createWords(PaymentKind);

/** The status of a wire value; undefined for none. */
export const paymentStatusFromWire = STATUSES.toWord;
/** The kind of a wire value; undefined for none. */
export const paymentKindFromWire = KINDS.toWord;

const toReason = (code: DeclineCode): MessageInitShape<typeof DeclineReasonSchema> => ({ code, message: DECLINE_CODES[code].words });

/** The requests of earlier releases, whose payments name no network, were answered with the codes of this one. */
const FORMER_NETWORK = 'visa';

const responseCodeOf = ({ network = FORMER_NETWORK }: Payment, { billing = 0n, decision, responseCode }: PaymentEvent): string => {
  if (responseCode !== undefined) return responseCode;
  if (decision === undefined) return '';
  return decision.decline === undefined ? approvalCode(decision.billing >= billing) : declineResponseCode(decision.decline, network);
};

const toWireEvent = (payment: Payment, event: PaymentEvent): MessageInitShape<typeof PaymentEventSchema> => ({
  id: event.id,
  type: event.type,
  at: timestampFromDate(event.at),
  amount: event.billing?.toString() ?? '',
  approved: event.decision?.decline === undefined,
  responseCode: responseCodeOf(payment, event),
  duplicateOf: event.duplicateOf ?? '',
  authenticationClaims: [...(event.claims ?? [])],
  acceptedClaim: event.exemption ?? '',
  addressResult: event.addressResult ?? '',
  overToleranceAmount: event.overTolerance?.toString() ?? '',
  ...(event.decision?.decline === undefined ? {} : { declineReason: toReason(event.decision.decline) }),
  ...(event.network === undefined ? {} : { network: toWireNetwork(event.network) }),
});

/** The answer to a request. */
export const toWireDecision = (
  payment: Payment,
  event: PaymentEvent & { decision: Decision },
): MessageInitShape<typeof PaymentDecisionSchema> => {
  const { decline, amount, billing, authorizationCode = '' } = event.decision;
  return {
    paymentId: payment.id,
    approved: decline === undefined,
    approvedAmount: amount.toString(),
    billingAmount: billing.toString(),
    responseCode: responseCodeOf(payment, event),
    authorizationCode,
    addressResult: event.addressResult ?? '',
    ...(decline === undefined ? {} : { declineReason: toReason(decline) }),
  };
};

const timeOf = <K extends string>(name: K, time: Date | undefined) =>
  (time === undefined ? {} : { [name]: timestampFromDate(time) }) as { [key in K]?: ReturnType<typeof timestampFromDate> };

const toWireConversion = ({ rate, markupBasisPoints, date = '' }: FxConversion, markup: bigint) => ({
  ...{ rate, markupBasisPoints, rateDate: date, markupAmount: markup.toString() },
});

const conversionCostOf = (
  { reference, amount, billing, currency = '', decimals }: Partial<PaymentEvent>,
  program: Program,
): Pick<MessageInitShape<typeof PaymentSchema>, 'conversionCost'> => {
  if (reference === undefined || amount === undefined || billing === undefined) return {};
  const scale = { rate: reference.rate, from: decimals ?? minorUnitDigits(currency) ?? 0, to: program.decimals };
  const overReferenceBasisPoints = overReference({ amount, billing }, scale);
  if (overReferenceBasisPoints === undefined) return {};
  return { conversionCost: { referenceRate: reference.rate, referenceDate: reference.date, overReferenceBasisPoints } };
};

const toWireForeign = ({ amount, currency, decimals, fx, markup, compared }: OriginalAmount, program: Program) => ({
  ...{ amount: amount.toString(), currency, decimals: decimals ?? minorUnitDigits(currency) ?? 0 },
  ...(fx === undefined ? {} : { fx: toWireConversion(fx, markup) }),
  ...conversionCostOf(compared ?? {}, program),
});

/** The amounts of a payment's postings and entries that are in another currency, by id. */
export const toWireForeignAmounts = (payment: Payment, program: Program) =>
  [...foreignBookingsOf(payment, program.currency)].map(([id, booked]) => [id, toWireForeign(booked, program)] as const);

const declineReasonOf = (payment: Payment) => {
  const decline = declineOf(payment);
  return decline === undefined ? {} : { declineReason: toReason(decline) };
};

/** A card transaction as callers see it; with its events and ledger entries when `detailed`. */
export const toWirePayment = (payment: Payment, program: Program, detailed: boolean): MessageInitShape<typeof PaymentSchema> => {
  const { amount, currency, decimals, ...conversion } = toWireForeign(originalOf(payment, program.currency), program);
  const isChallenged = ({ challengeId, decision }: PaymentEvent) => challengeId !== undefined && decision?.decline === undefined;
  const authenticated = payment.events.find(isChallenged) ?? authenticationUsed(payment);
  const { dispute, earlierDisputes = [] } = payment;
  return {
    id: payment.id,
    cardId: payment.cardId,
    accountId: payment.accountId,
    status: STATUSES.toValue(paymentStatus(payment)),
    kind: KINDS.toValue(payment.kind),
    amount: paymentAmount(payment).toString(),
    currency: program.currency,
    decimals: program.decimals,
    originalAmount: amount,
    originalCurrency: currency,
    originalDecimals: decimals,
    ...conversion,
    heldAmount: payment.held.toString(),
    clearedAmount: payment.cleared.toString(),
    refundedAmount: payment.refunded.toString(),
    relatedRefundAmount: (payment.refundedElsewhere ?? 0n).toString(),
    pendingCreditAmount: payment.pendingCredit.toString(),
    ...(payment.merchant === undefined ? {} : { merchant: payment.merchant }),
    entryMode: toWireEntryMode(payment.entryMode),
    authorizationCode: payment.authorizationCode ?? '',
    retrievalReference: payment.retrievalReference ?? '',
    ...declineReasonOf(payment),
    challengeId: authenticated?.challengeId ?? '',
    eci: authenticated?.eci ?? '',
    ...timeOf('expiresAt', payment.expiresAt ?? payment.creditExpiresAt),
    createdAt: timestampFromDate(payment.createdAt),
    ...timeOf('clearedAt', payment.clearedAt),
    updatedAt: timestampFromDate(payment.updatedAt),
    events: detailed ? payment.events.map((event) => toWireEvent(payment, event)) : [],
    ledgerEntries: detailed ? [...payment.ledgerEntries] : [],
    transactionId: payment.transactionId ?? '',
    isCredit: isCredit(payment),
    network: payment.network ?? '',
    networkTransactionId: payment.networkTransactionId ?? '',
    relatedPaymentId: payment.relatedPaymentId ?? '',
    ...(dispute === undefined ? {} : { dispute: toWireDispute(payment, dispute, detailed) }),
    earlierDisputes: earlierDisputes.map((earlier) => toWireDispute(payment, earlier, detailed)),
  };
};
