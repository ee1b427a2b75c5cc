import type { Amount } from '@florin/rpc/money';
import type { AuthenticationNames } from '../clients/authentications.ts';
import type { Claim } from '../domain/authentication-claims.ts';
import type { CardMerchant } from '../domain/card-merchant.ts';
import type { CardChecks } from '../domain/check-request.ts';
import type { NetworkData } from '../domain/network-data.ts';
import type { EntryMode } from '../domain/payment.ts';
import type { PaymentEventType, ReportType, RequestType } from '../domain/payment-event.ts';

/** An amount as the processor states it. */
export type StatedAmount = {
  /** In the minor unit of `currency`. */
  amount: Amount;
  /** ISO 4217. */
  currency: string;
  decimals: number;
  /** The amount that the processor bills, in the billing currency's minor unit; absent when it leaves the conversion to us. */
  billing?: Amount | undefined;
};

/** An event of the network as a processor reports it, validated. */
export type EventInput<T extends PaymentEventType = PaymentEventType> = {
  processor: string;
  eventId: string;
  type: T;
  transactionId?: string | undefined;
  cardId: string;
  authorizationCode?: string | undefined;
  retrievalReference?: string | undefined;
  /** Data of the network about the event; absent if there is none. */
  network?: NetworkData | undefined;
  /** Of a decline elsewhere: its response code. */
  responseCode?: string | undefined;
  money?: StatedAmount | undefined;
  merchant?: CardMerchant | undefined;
  entryMode?: EntryMode | undefined;
  atm?: boolean | undefined;
  /** Part of the amount that is paid out in cash at the counter. */
  cashBack?: Amount | undefined;
  partialApproval?: boolean | undefined;
  singleMessage?: boolean | undefined;
  /** Of a credit that is asked for or announced: a push to the card. */
  push?: boolean | undefined;
  moreExpected?: boolean | undefined;
  /** Of a reversal: the request that the processor itself undoes. */
  undoneRequestId?: string | undefined;
  checks?: CardChecks | undefined;
  authentication?: { challengeId?: string | undefined; eci?: string | undefined; names?: AuthenticationNames | undefined } | undefined;
  /** Claims about the authentication in place of a challenge. */
  claims?: readonly Claim[] | undefined;
};

/** An event that is decided. */
export type RequestInput = EventInput<RequestType>;

/** An event that has happened. */
export type ReportInput = EventInput<ReportType>;
