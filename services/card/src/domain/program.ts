import type { Amount } from '@florin/rpc/money';
import type { ClaimRules } from './authentication-claims.ts';
import type { CardControls } from './card-controls.ts';
import { daysOfHold, type ExpiryDays } from './hold-periods.ts';
import type { Counts, Limits } from './limits.ts';
import type { ClearingTolerance } from './merchant-rules.ts';
import type { Payment, PaymentFacts } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { TypeRules } from './transaction-types.ts';
import type { UnauthenticatedLimits } from './unauthenticated.ts';

/** The decision without the external decider: a decline, or an approval up to an amount in the billing currency's minor unit. */
export type DeciderFallback = { approveUpTo: Amount };

/** The rules of the card program. */
export type Program = {
  /** ISO 4217 code of the currency that cards are billed in. */
  currency: string;
  /** Decimals of the currency's minor unit. */
  decimals: number;
  /** Symbol and decimals of the ledger's token that pays. */
  token: { symbol: string; decimals: number };
  /** Most that a cardholder can allow; also in force without limits of the cardholder. */
  limits: Limits;
  /** Most payments and cash withdrawals of one card a day that are not declined. */
  counts: Counts;
  /** Most cash that is paid out with one payment, in the billing currency's minor unit; undefined: no limit of its own. */
  cashBackLimit?: Amount | undefined;
  /** Limits of an account over all of its cards, former ones included. */
  accountLimits: Limits;
  /** Most cards that are ordered for a user within 24 hours, replacements included. */
  cardsPerDay: number;
  /** The payments that no card of the program can make. */
  controls: CardControls;
  /** Days until a hold expires. */
  expiryDays: ExpiryDays;
  /** The hold before fuel is pumped, in the billing currency's minor unit. */
  fuelHold: Amount;
  /** By how many percent clearings may exceed what was authorized. */
  clearingTolerance: ClearingTolerance;
  /** Clearings of transit up to this amount in all exceed nothing, however little was authorized. */
  transitUpTo: Amount;
  /** Rules by the type of a transaction. */
  types: TypeRules;
  /** The largest push to a card that is accepted; undefined: none is too large. */
  creditUpTo?: Amount | undefined;
  /** Declines requests whose postal code was incorrect. */
  postalCodeRequired: boolean;
  /** Mark-up on conversions, in basis points. */
  markupBasisPoints: number;
  /** Amount from which a remote payment by the cardholder needs an authentication; undefined: never. */
  authenticationFrom?: Amount | undefined;
  /** The claims about authentications that are accepted in place of a challenge. */
  exemptions: ClaimRules;
  /** How far payments of a card go without an authentication, one after the other. */
  unauthenticated: UnauthenticatedLimits;
  /** Permits cash and balance inquiries without a correct PIN. */
  cashWithoutPin: boolean;
  /** The clients that acknowledge the answers to approvals, and for how long an approval is held without, in minutes. */
  acknowledgement: { clients: readonly string[]; minutes: number };
  decider: { fallback: DeciderFallback };
  /** Share of a disputed amount that is credited provisionally, in percent. */
  provisionalCreditPercent: number;
  /** How often a user is credited provisionally, and how late after the latest clearing of a payment. */
  provisionalCreditLimits: { disputes: number; days: number; clearedWithinDays: number };
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Longest time for which a processor can have an amount held. */
const MAX_EXPIRY_DAYS = 90;

const afterDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** The expiry that the processor states, if it is one that a hold can have. */
const statedExpiry = ({ at, network }: PaymentEvent): Date | undefined => {
  const stated = network?.expiresAt;
  return stated !== undefined && stated > at && stated.getTime() <= at.getTime() + MAX_EXPIRY_DAYS * DAY_MS ? stated : undefined;
};

/** Events whose payment is pending for a time. */
const PENDING: ReadonlySet<string> = new Set(['authorization', 'increment', 'advice', 'credit_announced', 'credit_request']);

/** Until when an approval is held without an acknowledgement; undefined where the client sends none, or nothing stays held. */
const acknowledgementTime = ({ acknowledgement }: Program, { at, singleMessage }: PaymentEvent, { processor }: PaymentFacts) =>
  acknowledgement.clients.includes(processor) && singleMessage !== true
    ? new Date(at.getTime() + acknowledgement.minutes * MINUTE_MS)
    : undefined;

/** An event with the time at which the hold or the announcement expires, if it is one of these. It never brings an expiry forward. */
export const withExpiry = (program: Program, event: PaymentEvent, facts: PaymentFacts, payment: Payment | undefined): PaymentEvent => {
  if (!PENDING.has(event.type)) return event;
  const standard =
    statedExpiry(event) ?? afterDays(event.at, daysOfHold(program.expiryDays, { ...(payment ?? facts), isEstimate: event.isEstimate }));
  const isOfCredit = event.type === 'credit_announced' || event.type === 'credit_request';
  const current = isOfCredit ? payment?.creditExpiresAt : payment?.expiresAt;
  const expiresAt = current !== undefined && current > standard ? current : standard;
  const acknowledgeBy = event.type === 'authorization' ? acknowledgementTime(program, event, facts) : undefined;
  return { ...event, expiresAt, ...(acknowledgeBy === undefined || acknowledgeBy >= expiresAt ? {} : { acknowledgeBy }) };
};

/** An amount of the billing currency in the token's smallest unit. */
export const toTokenAmount = ({ decimals, token }: Program, amount: Amount): Amount => amount * 10n ** BigInt(token.decimals - decimals);

/** A token amount in the billing currency's minor unit; what is less than one unit is left out. */
export const fromTokenAmount = ({ decimals, token }: Program, amount: Amount): Amount => amount / 10n ** BigInt(token.decimals - decimals);
