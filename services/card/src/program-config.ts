import { minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import { isRate } from './domain/conversion.ts';
import type { Program } from './domain/program.ts';

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

/** `CARD_PROGRAM`: the rules of the card program, with their defaults. */
export const programSchema = z
  .strictObject({
    currency: currency.default('EUR'),
    token: z.string().min(1).default('EURe'),
    tokenDecimals: z.number().int().min(4).max(30).default(18),
    limits: limits.default({ perTransaction: 500_000n, daily: 1_000_000n, weekly: 2_500_000n, monthly: 5_000_000n, atm: 100_000n }),
    counts: z.strictObject({ daily: count, atm: count }).partial().default({}),
    cashBackLimit: amount.optional(),
    accountLimits: limits.optional(),
    cardsPerDay: count.default(10),
    controls: controls.default({}),
    expiryDays: z
      .strictObject({ online: days(10), cardPresent: days(5), lodging: days(31) })
      .default({ online: 10, cardPresent: 5, lodging: 31 }),
    markupBasisPoints: z.number().int().min(0).max(2000).default(100),
    authenticationFrom: amount.optional(),
    deciderFallback: z.strictObject({ approveUpTo: amount }).default({ approveUpTo: 0n }),
    provisionalCreditPercent: z.number().int().min(0).max(100).default(100),
  })
  .transform(
    ({ token, tokenDecimals, deciderFallback, accountLimits, ...rules }): Program =>
      ({
        ...rules,
        accountLimits: accountLimits ?? rules.limits,
        decimals: minorUnitDigits(rules.currency) ?? 0,
        token: { symbol: token, decimals: tokenDecimals },
        decider: { fallback: deciderFallback },
      }) as Program,
  );

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
