import { z } from 'zod';

/** Code points, counted after composition (NFC), so that a letter counts the same regardless of how it was typed. */
const MAX_LENGTH = 26;

/** Letters, combining marks, numbers, punctuation, symbols and the plain space. No control or format characters. */
const PRINTABLE = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${MAX_LENGTH}}$`, 'u');

/** Fillers and selectors that Unicode classes as letters or marks but that render nothing, and names that consist of marks only. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|^[\p{M} ]*$/u;

/** Name that a cardholder gives a card. Leading and trailing spaces are trimmed. */
export const cardNameSchema = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .refine((text) => PRINTABLE.test(text) && !INVISIBLE.test(text), `must be 1 to ${MAX_LENGTH} printable characters`);
