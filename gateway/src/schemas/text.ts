import { z } from 'zod';

/** Code points, as JSON Schema counts them (`minLength`, `maxLength`); JavaScript's `length` counts UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

/** A text of a limited number of code points, without lone surrogates, which UTF-8 cannot carry. The document states the same limits. */
export const text = ({ min, max, pattern, problem }: { min: number; max: number; pattern?: RegExp; problem?: string }) => {
  const size = z
    .string()
    .refine((value) => lengthOf(value) >= min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .refine((value) => lengthOf(value) <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must be valid Unicode')
    .meta({ ...(min === 0 ? {} : { minLength: min }), maxLength: max });
  return pattern === undefined ? size : size.regex(pattern, problem ?? 'must be in the documented format');
};

/** Letters, numbers, punctuation and symbols: neither controls nor separators. */
const VISIBLE = '\\p{L}\\p{N}\\p{P}\\p{S}';

/**
 * Those of them that render nothing: the letters and marks of Unicode's Default_Ignorable_Code_Point, which few other languages know by
 * that name, and the Braille blank.
 */
const HIDDEN = `\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0${String.fromCodePoint(0xe0100)}-${String.fromCodePoint(0xe01ef)}`;
const NO_HIDDEN = `(?!.*[${HIDDEN}])`;

const NOTHING_HIDDEN = 'without line breaks and invisible characters such as the variation selectors of emojis';

/** Text that a person reads, for example the name of a card: printable characters and spaces, at least one of them visible. */
export const printable = (max: number) =>
  text({
    min: 1,
    max,
    pattern: new RegExp(`^${NO_HIDDEN}[${VISIBLE}\\p{M} ]*[${VISIBLE}][${VISIBLE}\\p{M} ]*$`, 'u'),
    problem: `must be 1 to ${max} printable characters, ${NOTHING_HIDDEN}`,
  });

/** Text of an outside system that a wallet displays: printable, and begins with a visible character. May be empty, unless `min` is 1. */
export const displayed = (max: number, min: 0 | 1 = 0) =>
  text({
    min,
    max,
    pattern: new RegExp(`^${NO_HIDDEN}(?:[${VISIBLE}][${VISIBLE}\\p{M} ]*)${min === 0 ? '?' : ''}$`, 'u'),
    problem: `must be printable and begin with a visible character, ${NOTHING_HIDDEN}`,
  });

/** Opaque ASCII text, for example a token or an identifier. */
export const opaque = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters');
