import { z } from 'zod';

/** A UUID (RFC 9562), converted to lower case: ids are compared and stored as text, so each needs one spelling. */
export const uuidSchema = z.uuid('must be a UUID').toLowerCase();

/**
 * Characters without a glyph that could change how a text reads: controls, line separators, bidi and other format characters,
 * fillers. Joiners and the two common variation selectors are allowed because scripts and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** A text that begins otherwise renders nothing, or as marks on the text before it. */
const VISIBLE = /^(?:$|[\p{L}\p{N}\p{P}\p{S}])/u;

/** Networks pad names to columns; a run of spaces would push the text after it out of sight or onto another line. */
export const collapseSpaces = (text: string): string => text.replace(/\p{Zs}+/gu, ' ').trim();

/** The problem of a text that people read as a merchant's, in wallets and statements; undefined for a fit text. */
export const merchantTextProblem = (text: string): string | undefined => {
  if (INVISIBLE.test(text)) return 'must not contain control, format or invisible characters';
  return VISIBLE.test(text) ? undefined : 'must begin with a visible character';
};
