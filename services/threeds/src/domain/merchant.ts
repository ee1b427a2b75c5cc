import { z } from 'zod';

/** The merchant that requests the payment, with the field limits of EMV 3DS; unknown fields are absent. */
export type Merchant = {
  id?: string;
  displayName?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** Merchant category code (ISO 18245). */
  categoryCode?: string;
};

/**
 * Characters without a glyph that could change how a text reads: controls, line separators, bidi and other format characters,
 * fillers. Joiners and the two common variation selectors are allowed because scripts and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** A text that begins otherwise renders nothing, or as marks on the text before it. */
const VISIBLE = /^(?:$|[\p{L}\p{N}\p{P}\p{S}])/u;

/** Networks pad names to columns; a run of spaces would push the text after it out of sight or onto another line. */
const collapseSpaces = (text: string): string => text.replace(/\p{Zs}+/gu, ' ').trim();

/** Merchant text, which becomes part of what a wallet displays. Empty means absent. */
const merchantText = (maxCharacters: number) =>
  z
    .string()
    .transform(collapseSpaces)
    .refine((text) => [...text].length <= maxCharacters, `must have at most ${maxCharacters} characters`)
    .refine((text) => !INVISIBLE.test(text), 'must not contain control, format or invisible characters')
    .refine((text) => VISIBLE.test(text), 'must begin with a visible character');

/** A merchant as requests carry it: empty fields are absent. */
export const merchantSchema = z
  .object({
    id: merchantText(35),
    displayName: merchantText(40),
    country: z.string().regex(/^(?:[A-Z]{2})?$/, 'must be an ISO 3166-1 alpha-2 code'),
    categoryCode: z.string().regex(/^(?:[0-9]{4})?$/, 'must be four digits'),
  })
  .transform((given): Merchant => Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')));
