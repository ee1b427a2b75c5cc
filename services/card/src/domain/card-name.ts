import { z } from 'zod';

/** Code points, counted after composition (NFC), so that a letter counts alike however it was typed. */
const MAX_LENGTH = 26;

/** Letters, marks on them, numbers, punctuation, symbols and the plain space: what can be printed. No control, no format character. */
const PRINTABLE = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${MAX_LENGTH}}$`, 'u');

/** Fillers and selectors that count as letters or marks and show nothing; and names made of nothing but marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|^[\p{M} ]*$/u;

/** Name that a cardholder gives a card. Spaces around it are dropped. */
export const cardNameSchema = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .refine((text) => PRINTABLE.test(text) && !INVISIBLE.test(text), `must be 1 to ${MAX_LENGTH} printable characters`);
