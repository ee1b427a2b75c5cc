import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { amountSchema, currencyCodes } from '@florin/rpc/money';
import { z } from 'zod';
import { opaque, text } from './text.ts';

export const id = uuidSchema.meta({ description: 'UUID' });
export const dateTime = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds', examples: ['2026-01-31T12:00:00.000Z'] });
/** EIP-55 checksummed address. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .meta({ description: 'EVM address with an EIP-55 checksum', examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] });
export const addressInput = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hexadecimal digits')
  .meta({ description: 'EVM address in any case', examples: ['0x52908400098527886e0f7030069857d2e4169ee7'] });
export const txHash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .meta({ description: 'Transaction hash' });
export const amount = z
  .string()
  .regex(/^(?:0|[1-9]\d*)$/)
  .meta({ description: 'Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it', examples: ['1250'] });
export const decimals = z.int().min(0).max(77);
export const currency = z.string().meta({ description: 'ISO 4217 code', examples: ['EUR'] });
export const token = z.string().meta({ description: 'Token symbol', examples: ['EURe'] });
/** The ledger decides which tokens exist: TOKEN_NOT_SUPPORTED. */
export const tokenInput = opaque(32).meta({ description: 'Token symbol', examples: ['EURe'] });
export const tokenAmountInput = amountSchema.meta({
  description: "Positive integer in the token's smallest unit",
  examples: ['25000000000000000000'],
});
export const currencyInput = z
  .enum(currencyCodes(), 'must be an active ISO 4217 code')
  .meta({ description: 'Active ISO 4217 code', examples: ['EUR'] });

/** The addresses that the platform accepts: dot-separated ASCII words and a domain name of two or more labels, in the sizes of RFC 5321. */
const EMAIL =
  /^(?=[^@]{1,64}@)(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

export const email = z
  .email({ error: ({ input }) => (input === undefined ? undefined : 'must be an e-mail address'), pattern: EMAIL })
  .max(254);
export const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 format, for example +4915112345678')
  .meta({ description: 'Phone number in E.164 format', examples: ['+4915112345678'] });
/** A code sent by e-mail. A code in another form is wrong (INVALID_OTP) rather than invalid. */
export const oneTimeCode = text({ min: 1, max: 16 });
/** A code sent by SMS. */
export const smsCode = z.string().regex(/^\d{6}$/, 'must be six digits');
/** 65 bytes for a plain wallet; contract wallets (EIP-1271) may require more. */
export const signature = z
  .string()
  .max(8194)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x followed by an even number of hexadecimal digits');

export const done = z.object({ success: z.literal(true) });
export const DONE = { success: true } as const;

/** A field that the contract guarantees. @throws CodedError INTERNAL_ERROR when it is missing */
export const present = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new CodedError('INTERNAL_ERROR', { cause: new Error(`the response of a service lacks: ${what}`) });
  return value;
};

export const toIso = (time: Timestamp | undefined): string => timestampDate(present(time, 'time')).toISOString();

/** Converts a proto enum value to its word. @throws CodedError INTERNAL_ERROR for values of a newer contract */
export const toWord = <W extends string>(words: Readonly<Record<number, W>>, value: number): W => present(words[value], 'known status');

/** Converts a word of the table to its proto enum value. */
export const fromWord = <W extends string, N extends number>(words: Readonly<Record<N, W>>, word: W): N => {
  const found = Object.entries(words).find(([, candidate]) => candidate === word);
  return Number(present(found, 'known word')[0]) as N;
};
