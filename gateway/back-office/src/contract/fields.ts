import { z } from 'zod';

/** A UUID in lower case. */
export const id = z.uuid().toLowerCase();

/** A moment, ISO 8601 in UTC. */
export const time = z.iso.datetime();

/** A whole number of smallest units as text, possibly negative, never a floating-point number. */
export const amount = z.string().regex(/^-?\d{1,40}$/);

/** An amount with what is needed to show it. */
export const money = z.object({ amount, decimals: z.int(), currency: z.string() });
export type Money = z.output<typeof money>;

/** An amount of a token in its smallest unit, of which `decimals` are after the point. */
export const tokenAmount = money.extend({ token: z.string() });
export type TokenAmount = z.output<typeof tokenAmount>;

/** Why an operator reads or does something: 10 to 500 printable characters. */
export const reason = z
  .string()
  .trim()
  .min(10, 'must be 10 to 500 characters')
  .max(500, 'must be 10 to 500 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must be printable');

/** Where the next page begins; absent on the last page. */
export const nextCursor = z.string().optional();

/** The body of a request that does something and needs nothing but its reason. */
export const reasonBody = z.strictObject({ reason });
