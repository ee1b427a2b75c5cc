import {
  AuthenticationExemption,
  AuthenticationResult,
  CheckResult,
  type PaymentAmount,
  EntryMode as WireEntryMode,
  type CardMerchant as WireMerchant,
} from '@florin/proto/card/v1/payment';
import type { EventReference, ThreeDsAuthentication, CardChecks as WireChecks } from '@florin/proto/card/v1/processor_service';
import { createWords, requireFields, stated } from '@florin/rpc/contract';
import { collapseSpaces, merchantTextProblem } from '@florin/rpc/fields';
import { minorUnitDigits } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Claim } from '../domain/authentication-claims.ts';
import { type CardMerchant, isCategoryCode } from '../domain/card-merchant.ts';
import { CARD_CHECKS, type CardChecks } from '../domain/check-request.ts';
import { toAlpha2 } from '../domain/country.ts';
import type { NetworkData } from '../domain/network-data.ts';
import type { EntryMode } from '../domain/payment.ts';
import type { StatedAmount } from '../payments/event-input.ts';
import { type Description, type Problems, readTexts } from './descriptions.ts';
import { readNetwork } from './network-fields.ts';

/** A code that networks pad with spaces. */
const padded = (maxCharacters: number): Description => ({
  canonical: (text) => text.trim(),
  problemOf: (text) => {
    if (!/^[A-Za-z0-9]*$/.test(text)) return 'must have letters and digits only';
    return text.length > maxCharacters ? `must have at most ${maxCharacters} characters` : undefined;
  },
});

const merchantText = (maxCharacters: number): Description => ({
  canonical: collapseSpaces,
  problemOf: (text) => ([...text].length > maxCharacters ? `must have at most ${maxCharacters} characters` : merchantTextProblem(text)),
});

/** A text of a merchant of which people can read a part. */
const readableText = (maxCharacters: number): Description => ({
  ...merchantText(maxCharacters),
  usable: (text) => {
    const fit = [...text].map((character) => (merchantTextProblem(`a${character}`) === undefined ? character : ' ')).join('');
    const short = [...collapseSpaces(fit)].slice(0, maxCharacters).join('').trim();
    return merchantTextProblem(short) === undefined ? short : '';
  },
});

const CODES = {
  authorizationCode: ['event.authorization_code', padded(6)],
  retrievalReference: ['event.retrieval_reference', padded(12)],
} as const;

const MERCHANT = {
  id: ['merchant.id', merchantText(35)],
  name: ['merchant.name', readableText(40)],
  city: ['merchant.city', readableText(40)],
  country: [
    'merchant.country',
    { canonical: toAlpha2, problemOf: (code: string) => (/^[A-Z]{2}$/.test(code) ? undefined : 'must be an ISO 3166-1 code') },
  ],
  categoryCode: [
    'merchant.category_code',
    {
      canonical: (text: string) => text.trim(),
      problemOf: (code: string) => (isCategoryCode(code) ? undefined : 'must be a merchant category code of ISO 18245'),
    },
  ],
} as const;

const MODES = createWords(WireEntryMode);

export const toWireEntryMode = (mode: EntryMode | undefined): WireEntryMode => MODES.toValue(mode);

const RESULTS = createWords(CheckResult);

/** The processor's verdicts; results that are not known are absent. */
export const toChecks = (checks: WireChecks | undefined): CardChecks =>
  Object.fromEntries(
    CARD_CHECKS.flatMap((name) => {
      const result = RESULTS.toWord(checks?.[name] ?? 0);
      return result === undefined ? [] : [[name, result]];
    }),
  );

const THREE_DS_RESULTS = createWords(AuthenticationResult);
const STATED_EXEMPTIONS = createWords(AuthenticationExemption);

/** Returns the names of a challenge whose id is not known. */
const namesOf = ({ challengeId, acsTransactionId, dsTransactionId, authenticationValue }: ThreeDsAuthentication) =>
  challengeId !== '' || `${acsTransactionId}${dsTransactionId}${authenticationValue}` === ''
    ? {}
    : { names: { acsTransactionId, dsTransactionId, authenticationValue } };

/** The authentication that a request presents, and what is stated in its place. */
export const toAuthentication = ({
  authentication: given,
  exemption = 0,
}: {
  authentication?: ThreeDsAuthentication | undefined;
  exemption?: AuthenticationExemption;
}) => {
  const claims: Claim[] = [THREE_DS_RESULTS.toWord(given?.result ?? 0), STATED_EXEMPTIONS.toWord(exemption)].filter(
    (claim) => claim !== undefined,
  );
  return {
    ...(given === undefined
      ? {}
      : {
          authentication: {
            ...(given.challengeId === '' ? {} : { challengeId: given.challengeId }),
            ...(given.eci === '' ? {} : { eci: given.eci }),
            ...namesOf(given),
          },
        }),
    ...(claims.length === 0 ? {} : { claims }),
  };
};

/** An amount, whose currency and decimals go together. */
const toMoney = ({ amount, currency, decimals, billingAmount }: PaymentAmount, mayBeUnknown: boolean): StatedAmount => {
  const digits = minorUnitDigits(currency);
  requireFields({
    'amount.currency': digits === undefined && !mayBeUnknown ? 'must be an active ISO 4217 code' : undefined,
    'amount.decimals': decimals === (digits ?? decimals) ? undefined : "must be those of the currency's minor unit",
  });
  return { amount: BigInt(amount), currency, decimals, ...(billingAmount === '' ? {} : { billing: BigInt(billingAmount) }) };
};

/** Fields of the requests of the processor's RPCs. */
type Request = {
  event?: EventReference | undefined;
  amount?: PaymentAmount | undefined;
  merchant?: WireMerchant | undefined;
  entryMode?: WireEntryMode;
};

type Read<R extends Request> = {
  eventId: string;
  cardId: string;
  transactionId?: string;
  authorizationCode?: string;
  retrievalReference?: string;
  network?: NetworkData;
} & (R extends { amount?: unknown } ? { money: StatedAmount | undefined } : unknown) &
  (R extends { merchant?: unknown } ? { merchant: CardMerchant | undefined } : unknown) &
  (R extends { entryMode: unknown } ? { entryMode: EntryMode | undefined } : unknown);

const read = <R extends Request>(request: R, mayBeUnknown: boolean, problems: Problems): Read<R> => {
  const { eventId, cardId, transactionId, network, ...codes } = stated(request.event);
  const said = network && readNetwork(network, problems);
  const { amount, merchant, entryMode } = request;
  if (entryMode !== undefined && entryMode !== 0 && MODES.toWord(entryMode) === undefined)
    problems['entry_mode'] = 'must be a known entry mode';
  return {
    eventId,
    cardId,
    ...(transactionId === '' ? {} : { transactionId }),
    ...readTexts(codes, CODES, problems),
    ...(said === undefined || Object.keys(said).length === 0 ? {} : { network: said }),
    ...(amount === undefined ? {} : { money: toMoney(amount, mayBeUnknown) }),
    ...(merchant === undefined ? {} : { merchant: readTexts(merchant, MERCHANT, problems) }),
    ...(entryMode === undefined ? {} : { entryMode: MODES.toWord(entryMode) }),
  } as Read<R>;
};

/**
 * Reads the event of a request that is decided.
 * @throws CodedError VALIDATION_FAILED
 */
export const readRequest = <R extends Request>(request: R): Read<R> => {
  const problems: Problems = {};
  const event = read(request, false, problems);
  requireFields(problems);
  return event;
};

/**
 * Reads the event of a report. The network has moved the money whether or not what describes it is well formed: a malformed description is repaired or left
 * out, with a note in the log that names the field.
 * @throws CodedError VALIDATION_FAILED
 */
export const readReport = <R extends Request>(request: R, logger: Logger): Read<R> => {
  const problems: Problems = {};
  const event = read(request, true, problems);
  const fields = Object.keys(problems);
  if (fields.length > 0) logger.warn({ fields }, 'optional fields of a report are malformed');
  return event;
};

/** Requires the id that all events of a payment share. @throws CodedError VALIDATION_FAILED */
export const requireTransaction = ({ event }: Request): void => {
  requireFields({ 'event.transaction_id': stated(event).transactionId === '' ? 'must not be empty' : undefined });
};
