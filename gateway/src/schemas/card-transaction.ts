import {
  DisputeStage,
  EntryMode,
  type ForeignAmount,
  type PaymentDispute,
  PaymentKind,
  PaymentStatus,
  type CardMerchant as WireMerchant,
  type Payment as WirePayment,
} from '@florin/proto/card/v1/payment';
import { z } from 'zod';
import { amount, currency, dateTime, decimals, id, present, toIso } from './fields.ts';
import { wordsOf } from './words.ts';

export const transactionStatus = wordsOf(PaymentStatus);
export const transactionKind = wordsOf(PaymentKind);
export const entryMode = wordsOf(EntryMode);

export const cardMerchant = z
  .object({
    id: z.string().optional(),
    name: z.string().optional(),
    city: z.string().optional(),
    country: z.string().optional(),
    categoryCode: z.string().optional(),
  })
  .meta({ id: 'CardMerchant' });

export const declineReason = z
  .object({ code: z.string(), message: z.string().meta({ description: 'The reason in words' }) })
  .meta({ id: 'DeclineReason' });

const disputeStage = wordsOf(DisputeStage);

export const disputeStatus = z.enum(['submitted', 'won', 'lost', 'withdrawn']);

const dispute = z
  .object({
    id,
    status: z.string().meta({ description: '`submitted`, `won`, `lost` or `withdrawn`' }),
    createdAt: dateTime.optional().meta({ description: 'When it was opened' }),
    stage: disputeStage.schema.optional().meta({ description: 'How far it has gone at the card network, or its outcome' }),
    reason: z.string().meta({ description: '`fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`' }),
    text: z.string().optional().meta({ description: 'In the words of the cardholder' }),
    provisionalCredit: amount,
    amount,
    creditedAmount: amount,
    cardBlocked: z.boolean().optional().meta({ description: 'True if it has blocked the card for good' }),
  })
  .meta({ id: 'CardTransactionDispute' });

/** A step of a dispute. */
const disputeStep = z
  .object({
    stage: disputeStage.schema,
    at: dateTime,
    amount: amount.optional().meta({ description: 'Amount of the step; absent if it is the disputed amount' }),
    deadline: dateTime.optional().meta({ description: 'Until when the next step has to be taken' }),
  })
  .meta({ id: 'CardDisputeStep' });

/** A dispute by itself, with what is disputed. */
export const cardDispute = dispute
  .extend({
    cardTransactionId: id,
    cardId: id,
    currency,
    decimals,
    merchant: cardMerchant.optional(),
    deadline: dateTime.optional().meta({ description: 'Until when the next step has to be taken' }),
  })
  .meta({ id: 'CardDispute' });

export const cardDisputeDetail = cardDispute.extend({ timeline: z.array(disputeStep) }).meta({ id: 'CardDisputeDetail' });

const fx = z
  .object({ rate: z.string(), markupBasisPoints: z.int(), rateDate: z.string().optional(), markupAmount: amount.optional() })
  .meta({
    id: 'CurrencyConversion',
    description: 'Rate to the billing currency, without the mark-up, which is a part of the billed amount',
  });

const conversionCost = z
  .object({ referenceRate: z.string(), referenceDate: z.string(), overReferenceBasisPoints: z.int() })
  .meta({ id: 'ConversionCost', description: 'Cost of the conversion against the reference rate of the European Central Bank' });

/** How an amount in another currency was billed (Regulation (EU) 2021/1230, Article 4). */
export const foreign = z
  .object({
    originalAmount: amount.meta({ description: 'Amount in the currency of the transaction' }),
    originalCurrency: currency,
    originalDecimals: decimals,
    decimals: decimals.meta({ description: "Decimals of the billing currency, in whose minor unit the mark-up's amount is" }),
    fx: fx.optional().meta({ description: 'Absent when the processor has converted' }),
    conversionCost: conversionCost.optional().meta({ description: 'Absent when the reference rate was not known' }),
  })
  .meta({ id: 'ForeignAmount' });

/** A card transaction in a list. */
export const cardTransaction = z
  .object({
    id,
    accountId: id,
    cardId: id,
    status: transactionStatus.schema,
    kind: transactionKind.schema,
    isCredit: z.boolean().meta({ description: 'True if the account is credited' }),
    amount,
    currency,
    decimals,
    originalAmount: amount.meta({ description: 'Amount in the currency of the transaction' }),
    originalCurrency: currency,
    originalDecimals: decimals,
    fx: fx.optional(),
    conversionCost: conversionCost.optional(),
    heldAmount: amount,
    clearedAmount: amount,
    refundedAmount: z.string().regex(/^(?:0|-?[1-9]\d*)$/),
    relatedRefundAmount: z
      .string()
      .regex(/^(?:0|-?[1-9]\d*)$/)
      .optional()
      .meta({ description: 'Amount credited for this payment by refunds that are transactions of their own' }),
    pendingCreditAmount: amount.meta({ description: 'Credit that was announced and is not booked yet' }),
    merchant: cardMerchant,
    entryMode: entryMode.schema.optional(),
    authorizationCode: z.string().optional(),
    network: z
      .string()
      .optional()
      .meta({ description: 'Card network, in lower case', examples: ['visa'] }),
    networkTransactionId: z.string().optional().meta({ description: "The network's id of the transaction" }),
    declineReason: declineReason.optional(),
    threeDs: z.object({ challengeId: id, eci: z.string().optional() }).optional(),
    dispute: dispute.optional().meta({ description: 'The latest dispute' }),
    earlierDisputes: z.array(dispute).optional().meta({ description: 'Disputes before the latest one, oldest first' }),
    relatedTransactionId: id.optional().meta({ description: 'Of a refund: the payment that it is likely to refund' }),
    note: z.string().optional().meta({ description: "The cardholder's own note, which nobody else is told of" }),
    expiresAt: dateTime.optional().meta({ description: 'When the hold expires; present while pending' }),
    createdAt: dateTime,
    clearedAt: dateTime.optional(),
    updatedAt: dateTime,
  })
  .meta({ id: 'CardTransaction' });

const event = z
  .object({
    id: z.string(),
    type: z.string(),
    at: dateTime,
    amount: amount.optional(),
    approved: z.boolean(),
    responseCode: z.string().optional().meta({ description: 'Response code of ISO 8583, field 39' }),
    declineReason: declineReason.optional().meta({ description: 'Why this request was declined' }),
    acquirerReference: z
      .string()
      .optional()
      .meta({ description: 'Acquirer reference number (ARN) of a clearing or refund, by which a merchant finds it' }),
    wallet: z
      .string()
      .optional()
      .meta({ description: 'Wallet of the device that has paid', examples: ['apple_pay'] }),
    tokenReference: z.string().optional().meta({ description: 'Reference of the token that has paid in place of the card number' }),
  })
  .meta({ id: 'CardTransactionEvent' });

/** A card transaction by itself. */
export const cardTransactionDetail = cardTransaction
  .extend({
    events: z.array(event).meta({ description: 'Reports of the card network, in the order of arrival' }),
    ledgerEntries: z
      .array(z.string())
      .meta({ description: "Ids of the ledger's holds and entries; lines of the statement have them as `reference`" }),
  })
  .meta({ id: 'CardTransactionDetail' });

/** Drops empty strings, which proto3 does not distinguish from absent ones. */
const filled = (fields: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));

export const toMerchant = ({ id: merchantId, name, city, country, categoryCode }: WireMerchant): z.output<typeof cardMerchant> =>
  filled({ id: merchantId, name, city, country, categoryCode });

const toDeclineReason = (wire: WirePayment['declineReason']) =>
  wire === undefined ? {} : { declineReason: { code: wire.code, message: wire.message } };

const timeOf = (name: string, time: WirePayment['expiresAt']) => (time === undefined ? {} : { [name]: toIso(time) });

/** The contract has the text behind the reason. */
const toReason = (stated: string): { reason: string; text?: string } => {
  const [, reason = stated, text] = /^(\w+): (.+)$/s.exec(stated) ?? [];
  return { reason, ...(text === undefined ? {} : { text }) };
};

const toDispute = (wire: PaymentDispute): z.output<typeof dispute> => ({
  id: wire.id,
  status: wire.status,
  ...timeOf('createdAt', wire.openedAt),
  ...(wire.stage === DisputeStage.UNSPECIFIED ? {} : { stage: disputeStage.toWord(wire.stage) }),
  ...toReason(wire.reason),
  provisionalCredit: wire.provisionalCredit,
  amount: wire.amount,
  creditedAmount: wire.creditedAmount,
  cardBlocked: wire.cardBlocked,
});

const disputesOf = ({ earlierDisputes, dispute: latest }: WirePayment): PaymentDispute[] => [
  ...earlierDisputes,
  ...(latest === undefined ? [] : [latest]),
];

const toCardDispute = (payment: WirePayment, wire: PaymentDispute): z.output<typeof cardDispute> => ({
  ...toDispute(wire),
  cardTransactionId: payment.id,
  cardId: payment.cardId,
  currency: payment.currency,
  decimals: payment.decimals,
  ...(payment.merchant === undefined ? {} : { merchant: toMerchant(payment.merchant) }),
  ...timeOf('deadline', wire.deadline),
});

/** The disputes of a payment, the latest first. */
export const toCardDisputes = (payment: WirePayment): z.output<typeof cardDispute>[] =>
  disputesOf(payment)
    .toReversed()
    .map((one) => toCardDispute(payment, one));

/** One dispute of a payment with its steps; undefined if the payment has no such dispute. */
export const toCardDisputeDetail = (payment: WirePayment, disputeId: string): z.output<typeof cardDisputeDetail> | undefined => {
  const found = disputesOf(payment).find((one) => one.id === disputeId);
  if (found === undefined) return undefined;
  const timeline = found.steps.map((step) => ({
    stage: disputeStage.toWord(step.stage),
    at: toIso(step.at),
    ...filled({ amount: step.amount }),
    ...timeOf('deadline', step.deadline),
  }));
  return { ...toCardDispute(payment, found), timeline };
};

const toFx = ({ fx: wire }: Pick<WirePayment, 'fx'>): { fx?: z.output<typeof fx> } =>
  wire === undefined
    ? {}
    : {
        fx: {
          rate: wire.rate,
          markupBasisPoints: wire.markupBasisPoints,
          ...filled({ rateDate: wire.rateDate, markupAmount: wire.markupAmount }),
        },
      };

const toConversionCost = ({
  conversionCost: wire,
}: Pick<WirePayment, 'conversionCost'>): { conversionCost?: z.output<typeof conversionCost> } =>
  wire === undefined
    ? {}
    : {
        conversionCost: {
          referenceRate: wire.referenceRate,
          referenceDate: wire.referenceDate,
          overReferenceBasisPoints: wire.overReferenceBasisPoints,
        },
      };

/** How an amount in another currency was billed. */
export const toForeignAmount = (wire: Omit<ForeignAmount, '$typeName'>, billingDecimals: number): z.output<typeof foreign> => ({
  originalAmount: wire.amount,
  originalCurrency: wire.currency,
  originalDecimals: wire.decimals,
  decimals: billingDecimals,
  ...toFx(wire),
  ...toConversionCost(wire),
});

/** The same of a payment as a whole; nothing for one in the billing currency. */
export const toForeign = (wire: WirePayment): { foreign?: z.output<typeof foreign> } => {
  const { originalAmount: amount, originalCurrency, originalDecimals, fx: conversion, conversionCost: cost } = wire;
  if (originalCurrency === wire.currency || originalCurrency === '') return {};
  const original = { amount, currency: originalCurrency, decimals: originalDecimals, fx: conversion, conversionCost: cost };
  return { foreign: toForeignAmount(original, wire.decimals) };
};

export const toCardTransaction = (wire: WirePayment): z.output<typeof cardTransaction> => ({
  id: wire.id,
  accountId: wire.accountId,
  cardId: wire.cardId,
  status: transactionStatus.toWord(wire.status),
  kind: transactionKind.toWord(wire.kind),
  isCredit: wire.isCredit,
  amount: wire.amount,
  currency: wire.currency,
  decimals: wire.decimals,
  originalAmount: wire.originalAmount,
  originalCurrency: wire.originalCurrency,
  originalDecimals: wire.originalDecimals,
  ...toFx(wire),
  ...toConversionCost(wire),
  heldAmount: wire.heldAmount,
  clearedAmount: wire.clearedAmount,
  refundedAmount: wire.refundedAmount,
  ...filled({ relatedRefundAmount: wire.relatedRefundAmount }),
  pendingCreditAmount: wire.pendingCreditAmount,
  merchant: wire.merchant === undefined ? {} : toMerchant(wire.merchant),
  ...(wire.entryMode === EntryMode.UNSPECIFIED ? {} : { entryMode: entryMode.toWord(wire.entryMode) }),
  ...filled({ authorizationCode: wire.authorizationCode, network: wire.network, networkTransactionId: wire.networkTransactionId }),
  ...toDeclineReason(wire.declineReason),
  ...(wire.challengeId === '' ? {} : { threeDs: { challengeId: wire.challengeId, ...filled({ eci: wire.eci }) } }),
  ...(wire.dispute === undefined ? {} : { dispute: toDispute(wire.dispute) }),
  ...(wire.earlierDisputes.length === 0 ? {} : { earlierDisputes: wire.earlierDisputes.map(toDispute) }),
  ...filled({ relatedTransactionId: wire.relatedPaymentId, note: wire.note }),
  ...timeOf('expiresAt', wire.expiresAt),
  createdAt: toIso(wire.createdAt),
  ...timeOf('clearedAt', wire.clearedAt),
  updatedAt: toIso(wire.updatedAt),
});

export const toCardTransactionDetail = (found: WirePayment | undefined): z.output<typeof cardTransactionDetail> => {
  const wire = present(found, 'the card transaction');
  return {
    ...toCardTransaction(wire),
    events: wire.events.map(({ id: eventId, type, at, amount: sum, approved, responseCode, network, declineReason: reason }) => ({
      id: eventId,
      type,
      at: toIso(at),
      ...filled({ amount: sum }),
      approved,
      ...filled({ responseCode }),
      ...toDeclineReason(reason),
      ...(network &&
        filled({ acquirerReference: network.acquirerReference, wallet: network.wallet, tokenReference: network.tokenReference })),
    })),
    ledgerEntries: wire.ledgerEntries,
  };
};
