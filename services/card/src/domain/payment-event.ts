import type { Amount } from '@florin/rpc/money';
import type { Claim } from './authentication-claims.ts';
import type { AddressResult } from './check-request.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { DisputeStep } from './dispute.ts';
import type { NetworkData } from './network-data.ts';
import type { EntryMode } from './payment.ts';

/** Events of the card network, and of a dispute. Those with a `decision` are requests; the others report what has happened. */
export const PAYMENT_EVENT_TYPES = [
  'authorization',
  'increment',
  'acknowledgement',
  'decline',
  'verification',
  'balance_inquiry',
  'credit_request',
  'advice',
  'reversal',
  'expiry',
  'clearing',
  'force_post',
  'refund',
  'refund_reversal',
  'related_refund',
  'related_refund_reversal',
  'related_purchase',
  'credit',
  'credit_announced',
  'announcement_reversal',
  'announcement_expiry',
  'correction_debit',
  'correction_credit',
  'second_presentment',
  'dispute_opened',
  'dispute_chargeback',
  'dispute_representment',
  'dispute_pre_arbitration',
  'dispute_arbitration',
  'dispute_won',
  'dispute_lost',
  'dispute_withdrawn',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];

/** Reports that book a charge, and those that book a credit. */
export const CHARGES: ReadonlySet<PaymentEventType> = new Set(['clearing', 'force_post', 'refund_reversal', 'correction_debit']);
export const CREDITS: ReadonlySet<PaymentEventType> = new Set(['refund', 'credit', 'correction_credit']);

/** Events that are decided. */
const REQUEST_TYPES = [
  ...(['authorization', 'increment', 'verification', 'balance_inquiry', 'credit_request'] as const),
] as const satisfies readonly PaymentEventType[];
export type RequestType = (typeof REQUEST_TYPES)[number];
export const isRequest = (type: PaymentEventType): type is RequestType => REQUEST_TYPES.some((one) => one === type);

/** Events that have happened. */
export type ReportType = Exclude<PaymentEventType, RequestType>;

/** The answer to a request. Amounts are zero when it is declined. */
export type Decision = {
  /** Why it is declined; absent when approved. */
  decline?: DeclineCode;
  /** The approved amount, in the billing currency's minor unit. */
  billing: Amount;
  /** The approved amount, in the minor unit of the request's currency. */
  amount: Amount;
  /** Six digits; absent when declined. */
  authorizationCode?: string;
  /** The amount that the ledger holds for it by now. */
  held: Amount;
  /** The outcome at the ledger is unknown: whatever it may hold yet has to be released. */
  heldUnknown?: boolean;
};

/** `date`: the day of the rate (ISO 8601), where its source has one. */
export type FxConversion = { rate: string; markupBasisPoints: number; date?: string };

/** One event on a payment. */
export type PaymentEvent = {
  /** The processor's id of the event; unique per processor. */
  id: string;
  type: PaymentEventType;
  at: Date;
  /** The processor's id of the transaction, where it is not the payment's. */
  transactionId?: string;
  /** The payments that it names equally well. It begins one of its own, because it may belong to any of them; absent where there is no doubt. */
  candidates?: readonly string[];
  /** In the minor unit of `currency`; absent for events without an amount. */
  amount?: Amount;
  /** ISO 4217. */
  currency?: string;
  /** Decimals of `amount`, when ISO 4217 does not tell them. */
  decimals?: number;
  /** In the billing currency's minor unit. */
  billing?: Amount;
  /** Of an amount that we convert: at which rate. */
  fx?: FxConversion;
  /** We convert the amount, and there is no rate: it is billed as the payment was. */
  withoutRate?: true;
  /** The part of `billing` that is the mark-up; absent where there is none. */
  markup?: Amount;
  /** The reference rate of the European Central Bank when it was billed, and its day. */
  reference?: { rate: string; date: string };
  /** Of an authorization: cash at a machine. */
  atm?: boolean;
  /** Of an authorization: the part of `billing` that is paid out in cash at a counter, or counts as cash. Of later events: the payment counts as cash as a whole. */
  cashBack?: Amount;
  entryMode?: EntryMode;
  /** Of an authorization: `billing` is the program's, because nobody knows the amount yet. */
  isEstimate?: true;
  /** Of a clearing: the part that exceeds what was authorized by more than the program tolerates. */
  overTolerance?: Amount;
  /** Result of the address verification, in the letters of ISO 8583 networks; absent where nothing was verified. */
  addressResult?: AddressResult;
  /** Of an authorization or an advice: it is booked at once, an authorization for an estimate with its advice. */
  singleMessage?: boolean;
  /** Of a clearing: another one is expected. */
  moreExpected?: boolean;
  /** Of a reversal: the request that the processor itself undoes. Of our own expiry: the approval that it has not acknowledged in time. */
  undoneRequestId?: string;
  /** Of such an event: what the request holds or has booked stands, for example because the network knows of the approval. */
  isIneffective?: true;
  /** When the hold or the announcement expires; of events that hold money or announce it, and of our own expiries. */
  expiresAt?: Date;
  /** Of an authorization: how long its approval is held before the processor has acknowledged it; absent where it need not. */
  acknowledgeBy?: Date;
  /** Present on requests. */
  decision?: Decision;
  /** Of a report: the code of the approval that it is about, by the processor. */
  authorizationCode?: string;
  /** Of a refund under a transaction id of its own: the payment that it refunds, if that was not known before. */
  relatedPaymentId?: string;
  /** Data of the network about the event. */
  network?: NetworkData;
  /** Of a decline elsewhere: its response code. */
  responseCode?: string;
  /** The event that this one presents once more: it books nothing. */
  duplicateOf?: string;
  challengeId?: string;
  eci?: string;
  /** Claims about the authentication in place of a challenge. */
  claims?: readonly Claim[];
  /** The claim that the program accepts; of an increase, that of its payment. */
  exemption?: Claim;
  /** Of a step of a dispute; absent from outcomes that earlier releases have recorded. */
  dispute?: DisputeStep;
};

/** Reports whether a request was declined. */
export const isDeclined = ({ decision }: PaymentEvent): boolean => decision?.decline !== undefined;

/** Reports whether the event is a request that takes money. */
export const takesMoney = ({ type }: Pick<PaymentEvent, 'type'>): boolean => type === 'authorization' || type === 'increment';

/** Reports whether we convert the event's amount to the billing currency, rather than the processor. */
export const isConverted = ({ fx, withoutRate }: PaymentEvent): boolean => fx !== undefined || withoutRate === true;
