import { z } from 'zod';

/**
 * Characters without a glyph that could change how a text reads: controls, line separators, bidi and other format characters,
 * fillers. Joiners and the two common variation selectors are allowed because scripts and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** A text that begins otherwise renders nothing, or as marks on the text before it. */
const VISIBLE = /^(?:$|[\p{L}\p{N}\p{P}\p{S}])/u;

/** Networks pad names to columns; a run of spaces would push the text after it out of sight or onto another line. */
const collapseSpaces = (text: string): string => text.replace(/\p{Zs}+/gu, ' ').trim();

/** Text of a merchant, which people read in wallets and statements. Runs of spaces become one. */
export const merchantText = (maxCharacters: number) =>
  z
    .string()
    .transform(collapseSpaces)
    .refine((text) => [...text].length <= maxCharacters, `must have at most ${maxCharacters} characters`)
    .refine((text) => !INVISIBLE.test(text), 'must not contain control, format or invisible characters')
    .refine((text) => VISIBLE.test(text), 'must begin with a visible character');
