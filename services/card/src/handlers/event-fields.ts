import { CheckResult, EntryMode as WireEntryMode } from '@florin/proto/card/v1/payment';
import { merchantText, unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import { type CardMerchant, isCategoryCode } from '../domain/card-merchant.ts';
import type { CheckResult as Check } from '../domain/check-request.ts';
import { toAlpha2 } from '../domain/country.ts';
import type { EntryMode } from '../domain/payment.ts';

/** Largest amount of one event, in the minor unit of its currency. */
const MAX_AMOUNT = 10n ** 15n;

export const printable = (label: string) =>
  z.string().regex(/^[\x21-\x7e]{1,100}$/, `${label} must be 1 to 100 printable ASCII characters`);

/** An optional code that networks pad with spaces. */
const padded = (maxCharacters: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' ? text.trim() || undefined : text),
    z
      .string()
      .regex(/^[A-Za-z0-9]*$/, 'must have letters and digits only')
      .max(maxCharacters, `must have at most ${maxCharacters} characters`)
      .optional(),
  );

const eventFields = {
  eventId: printable('it'),
  cardId: uuidSchema,
  authorizationCode: padded(6),
  retrievalReference: padded(12),
};

/** `EventReference` with a transaction id. */
export const eventSchema = z.object({ ...eventFields, transactionId: printable('it') }, 'is required');

/** `EventReference` whose transaction id may be empty. */
export const looseEventSchema = z.object({ ...eventFields, transactionId: unlessEmpty(printable('it')) }, 'is required');

const positive = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, 'must be an integer string in the minor unit, above zero')
  .transform(BigInt)
  .refine((amount) => amount <= MAX_AMOUNT, 'must be at most 10^15');

/** An optional amount above zero. */
export const optionalAmountSchema = z.preprocess((text) => (text === '' ? undefined : text), positive.optional());

const isKnown = (currency: string): boolean => minorUnitDigits(currency) !== undefined;

const amountOf = (mayBeUnknown: boolean) =>
  z
    .object(
      {
        amount: positive,
        currency: z.string().regex(/^[A-Z]{3}$/, 'must be an active ISO 4217 code'),
        decimals: z.int().min(0).max(4),
        billingAmount: optionalAmountSchema,
      },
      'is required',
    )
    .refine(({ currency, billingAmount }) => isKnown(currency) || (mayBeUnknown && billingAmount !== undefined), {
      path: ['currency'],
      message: 'must be an active ISO 4217 code',
    })
    .refine(({ currency, decimals }) => decimals === (minorUnitDigits(currency) ?? decimals), {
      path: ['decimals'],
      message: "must be those of the currency's minor unit",
    })
    .transform(({ billingAmount, ...stated }) => ({ ...stated, ...(billingAmount === undefined ? {} : { billing: billingAmount }) }));

/** `PaymentAmount` of a request. */
export const amountSchema = amountOf(false);

/** `PaymentAmount` of a report, whose currency may be one that we do not know if the processor has billed it. */
export const reportAmountSchema = amountOf(true);

/** `CardMerchant`; its empty fields are absent. */
export const merchantSchema = z
  .object(
    {
      id: merchantText(35),
      name: merchantText(40),
      city: merchantText(40),
      country: z
        .string()
        .transform(toAlpha2)
        .refine((code) => /^(?:[A-Z]{2})?$/.test(code), 'must be an ISO 3166-1 code'),
      categoryCode: z
        .string()
        .trim()
        .refine((code) => code === '' || isCategoryCode(code), 'must be a merchant category code of ISO 18245'),
    },
    'is required',
  )
  .transform((given): CardMerchant => Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')));

const ENTRY_MODES: Readonly<Record<WireEntryMode, EntryMode | undefined>> = {
  [WireEntryMode.UNSPECIFIED]: undefined,
  [WireEntryMode.CHIP]: 'chip',
  [WireEntryMode.CONTACTLESS]: 'contactless',
  [WireEntryMode.MAGNETIC_STRIPE]: 'magnetic_stripe',
  [WireEntryMode.ECOMMERCE]: 'ecommerce',
  [WireEntryMode.MERCHANT_INITIATED]: 'merchant_initiated',
  [WireEntryMode.MANUAL]: 'manual',
};

export const entryModeSchema = z.enum(WireEntryMode, 'must be a known entry mode').transform((mode) => ENTRY_MODES[mode]);
export const toWireEntryMode = (mode: EntryMode | undefined): WireEntryMode =>
  Object.values(WireEntryMode).find((wire) => ENTRY_MODES[wire] === mode) ?? WireEntryMode.UNSPECIFIED;

const CHECKS: Readonly<Record<CheckResult, Check | undefined>> = {
  [CheckResult.UNSPECIFIED]: undefined,
  [CheckResult.CORRECT]: 'correct',
  [CheckResult.INCORRECT]: 'incorrect',
  [CheckResult.BLOCKED]: 'blocked',
};
const checkSchema = z.enum(CheckResult, 'must be a known result').transform((result) => CHECKS[result]);

/** `CardChecks`; results that are not known are absent. */
export const checksSchema = z
  .object({ securityCode: checkSchema, pin: checkSchema, cryptogram: checkSchema })
  .optional()
  .transform((checks) => Object.fromEntries(Object.entries(checks ?? {}).filter(([, result]) => result !== undefined)));

/** `ThreeDsAuthentication`. */
export const authenticationSchema = z
  .object({ challengeId: uuidSchema, eci: unlessEmpty(z.string().regex(/^[0-9]{2}$/, 'must be two digits')) })
  .transform(({ challengeId, eci }) => ({ challengeId, ...(eci === undefined ? {} : { eci }) }))
  .optional();
