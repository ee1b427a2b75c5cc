import { ConfigError } from '@florin/rpc/config';
import { minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import type { ClaimRules } from './domain/authentication-claims.ts';
import { isRate } from './domain/conversion.ts';
import type { Program } from './domain/program.ts';
import type { UnauthenticatedLimits } from './domain/unauthenticated.ts';

const currency = z.string().refine((code) => minorUnitDigits(code) !== undefined, 'must be an ISO 4217 code');

/** An amount in the program's minor unit, as text. */
const amount = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,17})$/, 'must be an integer string in the minor unit')
  .transform(BigInt);

const limits = z.strictObject({ perTransaction: amount, daily: amount, weekly: amount, monthly: amount, atm: amount }).partial();

const list = z.strictObject({ allow: z.array(z.string()), deny: z.array(z.string()) }).partial();

const controls = z
  .strictObject({
    categories: list,
    countries: list,
    merchants: list,
    onlineOff: z.boolean(),
    contactlessOff: z.boolean(),
    atmOff: z.boolean(),
  })
  .partial();

const count = z.number().int().min(1).max(1000);

const days = (standard: number) => z.number().int().min(1).max(90).default(standard);

const percent = (standard: number) => z.number().int().min(0).max(100).default(standard);

const typeRule = z.strictObject({ isDenied: z.boolean(), upTo: amount, countsAsCash: z.boolean() }).partial();
const types = z.strictObject({ cash: typeRule, quasi_cash: typeRule, account_funding: typeRule, bill_payment: typeRule }).partial();

const unauthenticated = z.strictObject({ payments: count, amount }).partial();
const contactless = unauthenticated.extend({ perPayment: amount.optional() });

/** The clients whose word counts; absent for all of them. */
const clients = z.array(z.string().min(1)).min(1).optional();

/** Terms of a claim that the risk of an amount speaks for. */
const capped = z.strictObject({ upTo: amount, clients });

const uncapped = z.strictObject({ upTo: amount.optional(), clients });

const following = z.strictObject({ upTo: amount.optional(), clients, withoutOriginal: z.boolean().optional() });

const exemptions = z
  .strictObject({
    ...{ challenged: uncapped, frictionless: capped, attempted: capped, requestor_initiated: following },
    ...{ low_value: capped, transaction_risk: capped, trusted_beneficiary: uncapped, secure_corporate: uncapped },
    ...{ unattended_terminal: uncapped, delegated: uncapped, recurring: following, merchant_initiated: following },
  })
  .partial();

/** The members of `CARD_PROGRAM`. */
export const programShape = {
  /** ISO 4217 code of the currency that cards are billed in. All amounts are integer strings in its minor unit. */
  currency: currency.default('EUR'),
  /** Symbol of the ledger's token that pays. Token, its decimals and the currency are compared with the ledger's: the service does not start with others. */
  token: z.string().min(1).default('EURe'),
  /** Decimals of the token, at least as many as those of the currency. */
  tokenDecimals: z.number().int().min(0).max(30).default(18),
  /** Most that a cardholder can allow, by card: `perTransaction`, `daily`, `weekly`, `monthly`, and `atm` for cash a day. An absent one is unlimited. */
  limits: limits.default({ perTransaction: 500_000n, daily: 1_000_000n, weekly: 2_500_000n, monthly: 5_000_000n, atm: 100_000n }),
  /** Most payments of a card a day, `daily`, and withdrawals of cash, `atm`. */
  counts: z.strictObject({ daily: count, atm: count }).partial().default({}),
  /** Most cash that is paid out with one payment. */
  cashBackLimit: amount.default(10_000n),
  /** Limits of an account over all of its cards, former ones included. Default: those of `limits`. */
  accountLimits: limits.optional(),
  /** Most cards that are ordered for a user within 24 hours, replacements included. */
  cardsPerDay: count.default(10),
  /** Controls that hold for every card of the program, in the form of the cardholder's. */
  controls: controls.default({}),
  /** Days until a hold expires; the [table](../processor.md#how-long-an-authorization-is-held) says which. */
  expiryDays: z
    .strictObject({ online: days(10), cardPresent: days(5), lodging: days(31), mastercard: days(7), fuel: days(1) })
    .default({ online: 10, cardPresent: 5, lodging: 31, mastercard: 7, fuel: 1 }),
  /** The amount held when a fuel pump asks with an amount of one unit of its currency at most (merchant category 5542), until the advice or the clearing has the amount. */
  fuelHold: amount.default(10_000n),
  /** By how many percent clearings may exceed what was authorized; the [table](../processor.md#fuel-tips-and-clearings-above-the-authorization) says which. */
  clearingTolerance: z
    .strictObject({ tips: percent(20), travel: percent(15), others: percent(0) })
    .default({ tips: 20, travel: 15, others: 0 }),
  /** Amount up to which clearings of transit (merchant categories 4111, 4112 and 4131) exceed nothing, however little was authorized: the networks' chargeback threshold of your country. */
  transitUpTo: amount.default(1500n),
  /**
   * Rules by the type of a transaction, `cash` at a counter, `quasi_cash`, `account_funding` and `bill_payment`, each with the members `isDenied`, `upTo` an amount, and
   * `countsAsCash` against the limits of cash. The network states the type; otherwise merchant categories 6010 and 6011 are cash, 4829, 6050, 6051 and 6540 quasi-cash.
   */
  types: types.default({ cash: { countsAsCash: true }, quasi_cash: { countsAsCash: true } }),
  /** Largest push to a card (OCT) that `AuthorizeCredit` approves, or `unlimited`. */
  creditUpTo: z.union([z.literal('unlimited').transform(() => undefined), amount]).default(1_000_000n),
  /** Declines requests with the verdict that the postal code is incorrect. */
  postalCodeRequired: z.boolean().default(false),
  /** Mark-up on conversions, in basis points. */
  markupBasisPoints: z.number().int().min(0).max(2000).default(100),
  /**
   * Amount from which a remote payment by the cardholder needs 3-D Secure, or `never`. Remote are the entry modes `ecommerce`, `manual` and an
   * unspecified one. Default: `never` in the sandbox, required outside of it.
   */
  authenticationFrom: z.union([z.literal('never'), amount]).optional(),
  /**
   * [Claims](../processor.md#authentication-by-others-and-exemptions) about the authentication that are accepted in place of a challenge, each with its terms, for
   * example `{"transaction_risk":{"upTo":"10000","clients":["processor"]}}`: `upTo` an amount, from these `clients` alone (default: all), and of claims that follow from an
   * earlier payment `withoutOriginal`, whether or not that is known. A claim that is not named is not accepted. In EUR at most 3000 for `low_value` and 50000 for
   * `transaction_risk` (PSD2 RTS).
   */
  exemptions: exemptions.default({ recurring: {}, merchant_initiated: {} }),
  /**
   * Most payments in a row without an authentication, and most that they amount to, of a card and of all cards of an account together: `remote` since the last one
   * with 3-D Secure, `contactless` since the last one with the PIN or a verification by the cardholder's device; and most that one contactless payment without either
   * amounts to, `perPayment`. Required with another currency than EUR. Default: without limits where `authenticationFrom` is `never`, else those of the PSD2 RTS:
   * `{"remote":{"payments":5,"amount":"10000"},"contactless":{"payments":5,"amount":"15000","perPayment":"5000"}}`.
   */
  unauthenticated: z.strictObject({ remote: unauthenticated, contactless }).partial().optional(),
  /** Permits cash at machines and balance inquiries without the verdict that the PIN is correct. */
  cashWithoutPin: z.boolean().default(false),
  /** Most that is approved when the external decider gives no verdict. */
  deciderFallback: z.strictObject({ approveUpTo: amount }).default({ approveUpTo: 0n }),
  /**
   * Share of a disputed amount that is credited provisionally, in percent. Default: 100 in the sandbox, 0 outside. A payment for which the cardholder's approval
   * was used up (3-D Secure) is never credited provisionally.
   */
  provisionalCreditPercent: z.number().int().min(0).max(100).optional(),
  /**
   * Most disputes of a user that are credited provisionally, `disputes`, within so many `days`; and the days after the latest clearing of a payment after
   * which its dispute is not, `clearedWithinDays`.
   */
  provisionalCreditLimits: z
    .strictObject({
      disputes: z.number().int().min(1).max(100).default(3),
      days: z.number().int().min(1).max(366).default(90),
      clearedWithinDays: z.number().int().min(1).max(540).default(120),
    })
    .default({ disputes: 3, days: 90, clearedWithinDays: 120 }),
} as const;

/** `CARD_PROGRAM`: the rules of the card program, with their defaults. */
export const programSchema = z.strictObject(programShape);

/** PSD2 RTS, Art. 16 and Art. 11. */
const RTS_LIMITS: UnauthenticatedLimits = {
  remote: { payments: 5, amount: 100_00n },
  contactless: { payments: 5, amount: 150_00n, perPayment: 50_00n },
};

/** The largest amounts in EUR for which an exemption exists (PSD2 RTS, Art. 16 and Annex). */
const RTS_CAPS = { low_value: 30_00n, transaction_risk: 500_00n } as const satisfies Partial<Record<keyof ClaimRules, bigint>>;

const requireCaps = ({ currency: code, exemptions: accepted }: z.output<typeof programSchema>): void => {
  for (const [name, cap] of Object.entries(RTS_CAPS)) {
    const { upTo = 0n } = accepted[name as keyof typeof RTS_CAPS] ?? {};
    if (code === 'EUR' && upTo > cap) throw new ConfigError(`CARD_PROGRAM: exemptions.${name}.upTo must be at most ${cap}`);
  }
};

type ProgramConfig = {
  CARD_PROGRAM: z.output<typeof programSchema>;
  SANDBOX: boolean;
  ACKNOWLEDGING_CLIENTS: readonly string[];
  UNACKNOWLEDGED_MINUTES: number;
};

/**
 * The rules of the configured program.
 * @throws ConfigError when a member does not fit the others, and when it does not state outside the sandbox from which amount a payment needs an authentication
 */
export const programOf = ({ CARD_PROGRAM, SANDBOX, ACKNOWLEDGING_CLIENTS, UNACKNOWLEDGED_MINUTES }: ProgramConfig): Program => {
  const { token, tokenDecimals, deciderFallback, accountLimits, authenticationFrom, ...rules } = CARD_PROGRAM;
  if (authenticationFrom === undefined && !SANDBOX) {
    throw new ConfigError('CARD_PROGRAM: authenticationFrom is required with SANDBOX=false');
  }
  requireCaps(CARD_PROGRAM);
  const decimals = minorUnitDigits(rules.currency) ?? 0;
  if (tokenDecimals < decimals)
    throw new ConfigError(`CARD_PROGRAM: tokenDecimals must be at least ${decimals}, as ${rules.currency} has them`);
  const from = authenticationFrom === 'never' ? undefined : authenticationFrom;
  if (from !== undefined && rules.unauthenticated === undefined && rules.currency !== 'EUR') {
    throw new ConfigError(
      'CARD_PROGRAM: unauthenticated is required with another currency than EUR, because its defaults are amounts in EUR',
    );
  }
  return {
    ...rules,
    decimals,
    token: { symbol: token, decimals: tokenDecimals },
    acknowledgement: { clients: ACKNOWLEDGING_CLIENTS, minutes: UNACKNOWLEDGED_MINUTES },
    decider: { fallback: deciderFallback },
    accountLimits: accountLimits ?? rules.limits,
    provisionalCreditPercent: rules.provisionalCreditPercent ?? (SANDBOX ? 100 : 0),
    authenticationFrom: from,
    unauthenticated: rules.unauthenticated ?? (from === undefined ? {} : RTS_LIMITS),
  } as Program;
};

/** `FX_RATES`: decimal strings by currency. */
export const ratesSchema = z.record(currency, z.string().refine(isRate, 'must be a decimal string above zero'));

/** A key of Standard Webhooks, as bytes. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes in base64')
  .transform((text) => new Uint8Array(Buffer.from(text.slice('whsec_'.length), 'base64')));

/** One or two keys of Standard Webhooks, separated by a space. */
export const webhookSecrets = z
  .string()
  .transform((text) => text.split(' '))
  .pipe(z.array(webhookSecret).min(1).max(2));
