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

/** Controls, and what changes the order in which the text around it is read. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Characters without a glyph. Scripts and emoji need some of them, but they say nothing. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A text that people read: as it is stored, so it is seen. `min` counts what is seen. */
export const printable = (min: number, max: number) => {
  const problem = `must be ${min} to ${max} characters`;
  return z
    .string()
    .trim()
    .max(max, problem)
    .refine((text) => text.replace(UNSEEN, '').trim().length >= min, problem)
    .refine((text) => !UNPRINTABLE.test(text), 'must be printable');
};

/** Why an operator reads or does something: 10 to 500 printable characters. */
export const reason = printable(10, 500);

/** Name of a person: 1 to 80 printable characters. */
export const personName = printable(1, 80);

/** Where the next page begins; absent on the last page. */
export const nextCursor = z.string().optional();

/** The body of a request that does something and needs nothing but its reason. */
export const reasonBody = z.strictObject({ reason });
