import type { Amount } from '@florin/rpc/money';
import type { Claim } from './authentication-claims.ts';
import { type Card, type CardStatus, statusAt } from './card.ts';
import { type CardControls, controlDecline } from './card-controls.ts';
import type { CardMerchant } from './card-merchant.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { NetworkData } from './network-data.ts';
import { type EntryMode, isCash, type Payment, sameCard, usageOf } from './payment.ts';
import type { RequestType } from './payment-event.ts';
import type { Program } from './program.ts';
import { typeDecline, typedAs } from './transaction-types.ts';
import { isRemote } from './unauthenticated.ts';

/** The processor's verdicts on secrets of the card. */
export type CheckResult = 'correct' | 'incorrect' | 'blocked';
export const CARD_CHECKS = [
  'securityCode',
  'pin',
  'cryptogram',
  'expiryDate',
  'authenticationValue',
  'postalCode',
  'streetAddress',
  'deviceVerification',
] as const;
export type CardChecks = { [check in (typeof CARD_CHECKS)[number]]?: CheckResult };

/** Results of an address verification: all correct, the street alone, the postal code alone, nothing. */
export const ADDRESS_RESULTS = ['Y', 'A', 'Z', 'N'] as const;
export type AddressResult = (typeof ADDRESS_RESULTS)[number];

/** The result of an address verification (ISO 8583 field 44); undefined where nothing was verified. */
export const addressResultOf = ({ postalCode, streetAddress }: CardChecks): AddressResult | undefined => {
  if (postalCode === undefined && streetAddress === undefined) return undefined;
  if (postalCode === 'correct') return streetAddress === 'correct' ? 'Y' : 'Z';
  return streetAddress === 'correct' ? 'A' : 'N';
};

/** A request as the checks see it. */
export type CheckedRequest = {
  type: RequestType;
  merchant?: CardMerchant | undefined;
  network?: NetworkData | undefined;
  /** Of a credit: it is a push to the card. */
  push?: boolean | undefined;
  entryMode?: EntryMode | undefined;
  atm: boolean;
  /** In the billing currency's minor unit. */
  billing: Amount;
  /** The part of `billing` that is paid out in cash at the counter. */
  cashBack: Amount;
  checks: CardChecks;
  /** True if the merchant presents an authentication of the cardholder, the payment of an increment has one, or the program accepts a claim in its place. */
  authenticated: boolean;
};

const BY_STATUS: Readonly<Record<CardStatus, DeclineCode | undefined>> = {
  active: undefined,
  frozen: 'card_frozen',
  lost: 'card_lost',
  stolen: 'card_stolen',
  cancelled: 'card_cancelled',
  expired: 'card_expired',
};

const isWrong = (result: CheckResult | undefined): boolean => result !== undefined && result !== 'correct';

const byChecks = ({ securityCode, pin, cryptogram, expiryDate, authenticationValue }: CardChecks): DeclineCode | undefined => {
  if (isWrong(expiryDate)) return 'expiry_incorrect';
  if (securityCode === 'incorrect') return 'security_code_incorrect';
  if (securityCode === 'blocked') return 'security_code_blocked';
  if (pin === 'blocked') return 'pin_blocked';
  if (pin === 'incorrect') return 'pin_incorrect';
  if (isWrong(cryptogram)) return 'cryptogram_incorrect';
  return isWrong(authenticationValue) ? 'authentication_invalid' : undefined;
};

/**
 * Reports whether the payment takes the request: one of another card, a second authorization, or an increase of what has ended is invalid. Ids of
 * transactions come from outside, and may be used for several cards.
 */
const byPayment = (card: Card, payment: Payment | undefined, { type }: CheckedRequest): DeclineCode | undefined => {
  if (payment !== undefined && !sameCard(payment, { ...card, cardId: card.id })) return 'transaction_invalid';
  if (type === 'credit_request') return undefined;
  const open = payment?.holdId !== undefined && payment.ended === undefined;
  const begins = payment === undefined || payment.undone === true || (payment.holdId === undefined && payment.ended === undefined);
  const fits = type === 'increment' ? open : begins;
  return fits ? undefined : 'transaction_invalid';
};

const byAddress = ({ postalCodeRequired }: Program, { checks }: CheckedRequest): DeclineCode | undefined =>
  postalCodeRequired && isWrong(checks.postalCode) ? 'address_incorrect' : undefined;

/**
 * Judges a credit that is asked for in advance. A refund is the cardholder's money, whatever has become of the card; a push needs a card that is not closed,
 * and is within the program's rules.
 */
const checkCredit = (request: CheckedRequest, card: Card, program: Program, now: Date): DeclineCode | undefined => {
  if (request.push !== true) return undefined;
  const status = statusAt(card, now);
  if (status !== 'frozen' && BY_STATUS[status] !== undefined) return BY_STATUS[status];
  if (program.creditUpTo !== undefined && request.billing > program.creditUpTo) return 'transaction_limit_exceeded';
  return controlDecline(program.controls, request);
};

/** Automated cash disbursements (ISO 18245). */
const CASH_MACHINE = '6011';

/** Reports whether a machine pays out cash, also where the processor does not say so itself. */
const isAtMachine = ({ atm, merchant }: Pick<CheckedRequest, 'atm' | 'merchant'>): boolean =>
  atm || merchant?.categoryCode === CASH_MACHINE;

/** Cash and the balance of the account need a correct PIN. */
const byMissingPin = ({ cashWithoutPin }: Program, request: CheckedRequest): DeclineCode | undefined => {
  const needsPin = !cashWithoutPin && (isAtMachine(request) || request.type === 'balance_inquiry');
  return needsPin && request.checks.pin !== 'correct' ? 'pin_required' : undefined;
};

/** The largest amount of a type holds for all that a payment amounts to. */
const byType = ({ types }: Program, request: CheckedRequest, payment: Payment | undefined): DeclineCode | undefined => {
  const increased = request.type === 'increment' ? payment : undefined;
  const before = increased === undefined ? 0n : usageOf(increased);
  return typeDecline(types, { ...typedAs(increased, request), billing: before + request.billing });
};

/** Reports whether a payment is at a distance, by the cardholder or in the cardholder's name. */
const isJudged = (charged: Pick<CheckedRequest, 'entryMode' | 'atm'>): boolean =>
  isRemote(charged) || (charged.entryMode === 'merchant_initiated' && !charged.atm);

/**
 * Reports whether a request needs an authentication of the cardholder, or a claim that the program accepts in its place. An increment is judged by all that the
 * payment then amounts to, and by the entry mode of its authorization: a large payment is none the less one when it comes in parts.
 */
export const needsAuthentication = (
  { authenticationFrom }: Pick<Program, 'authenticationFrom'>,
  { type, entryMode, atm, billing }: Pick<CheckedRequest, 'type' | 'entryMode' | 'atm' | 'billing'>,
  payment: Pick<Payment, 'entryMode' | 'kind' | 'atm' | 'held' | 'cleared'> | undefined,
): boolean => {
  if (type !== 'authorization' && type !== 'increment') return false;
  const increased = type === 'increment' ? payment : undefined;
  const charged = increased === undefined ? { entryMode, atm } : { entryMode: increased.entryMode, atm: isCash(increased) };
  const total = increased === undefined ? billing : usageOf(increased) + billing;
  return authenticationFrom !== undefined && total >= authenticationFrom && isJudged(charged);
};

/** The amount from which a payment without an authentication needs one, where it may come in parts; undefined where none is needed. */
export const unauthenticatedUntil = (
  { authenticationFrom, exemptions }: Pick<Program, 'authenticationFrom' | 'exemptions'>,
  { exemption, ...charged }: Pick<CheckedRequest, 'entryMode' | 'atm'> & { exemption?: Claim | undefined },
): Amount | undefined => {
  if (authenticationFrom === undefined || !isJudged(charged)) return undefined;
  if (exemption === undefined) return authenticationFrom;
  const upTo = exemptions[exemption]?.upTo;
  if (upTo === undefined) return undefined;
  return upTo < authenticationFrom ? authenticationFrom : upTo + 1n;
};

const byCashBack = ({ cashBackLimit }: Program, { cashBack }: CheckedRequest): DeclineCode | undefined =>
  cashBackLimit !== undefined && cashBack > cashBackLimit ? 'cash_back_limit_exceeded' : undefined;

/**
 * The checks that need no other system, in their documented order: duplicate or tombstone, state and expiry of the card, verdicts on its secrets,
 * program rules, the cardholder's controls, authentication. An increment is judged by card, payment, amount and authentication only: the rest was judged
 * before.
 * @param payment what is known of the payment
 * @returns why the request is declined; undefined when nothing speaks against it
 */
export const checkRequest = (
  request: CheckedRequest,
  {
    card,
    payment,
    controls,
    program,
    now,
  }: { card: Card; payment: Payment | undefined; controls: CardControls; program: Program; now: Date },
): DeclineCode | undefined => {
  const unfit = byPayment(card, payment, request);
  if (request.type === 'credit_request') return unfit ?? checkCredit(request, card, program, now);
  const early = unfit ?? BY_STATUS[statusAt(card, now)];
  if (early !== undefined) return early;
  const controlled = { ...request, atm: isAtMachine(request) };
  const rules =
    request.type === 'increment'
      ? byType(program, request, payment)
      : (byChecks(request.checks) ??
        byAddress(program, request) ??
        byMissingPin(program, request) ??
        byType(program, request, payment) ??
        byCashBack(program, request) ??
        controlDecline(program.controls, controlled) ??
        controlDecline(controls, controlled));
  if (rules !== undefined) return rules;
  return needsAuthentication(program, request, payment) && !request.authenticated ? 'authentication_required' : undefined;
};
