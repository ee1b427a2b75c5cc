import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

/** A UUID (RFC 9562), converted to lower case: ids are compared and stored as text, so each needs one spelling. */
export const uuidSchema = z.uuid('must be a UUID').toLowerCase();

/** Most records that a batch RPC returns. */
const MAX_IDS = 100;

/** The ids of a batch RPC, each once. */
export const batchIdsSchema = z
  .array(uuidSchema)
  .max(MAX_IDS, `must have at most ${MAX_IDS} ids`)
  .transform((ids) => [...new Set(ids)]);

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

/** Text of a merchant. Runs of spaces become one. */
export const merchantText = (maxCharacters: number) =>
  z
    .string()
    .transform(collapseSpaces)
    .refine((text) => [...text].length <= maxCharacters, `must have at most ${maxCharacters} characters`)
    .superRefine((text, context) => {
      const problem = merchantTextProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    });

/**
 * A one-time code as a person typed it. Only its length is bounded, to between 1 and 16 characters: a text that is not a code is a wrong
 * code and gets the error of a wrong code.
 */
export const oneTimeCodeSchema = z.string().min(1).max(16);

/** A required point in time that JavaScript can represent (ECMA-262, section 21.4.1.1), as a Date. */
export const timeSchema = z
  .custom<Timestamp>((value) => value !== undefined, 'must be a time')
  .transform((timestamp) => timestampDate(timestamp))
  .refine((date) => !Number.isNaN(date.getTime()), 'must be a time');

/** An optional text field: the empty text, which proto3 uses for an unset field, becomes undefined; any other must match `schema`. */
export const unlessEmpty = <S extends z.ZodType<string, string>>(schema: S) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional());
