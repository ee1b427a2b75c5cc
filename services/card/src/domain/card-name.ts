/** Code points, counted after composition (NFC), so that a letter counts the same regardless of how it was typed. */
const MAX_LENGTH = 26;

/** Letters, combining marks, numbers, punctuation, symbols and the plain space. No control or format characters. */
const PRINTABLE = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${MAX_LENGTH}}$`, 'u');

/** Fillers and selectors that Unicode classes as letters or marks but that render nothing, and names that consist of marks only. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|^[\p{M} ]*$/u;

/**
 * The name that a cardholder gives a card, without leading and trailing spaces.
 * @returns undefined for a text that is not 1 to 26 printable characters
 */
export const cardNameOf = (text: string): string | undefined => {
  const name = text.normalize('NFC').trim();
  return PRINTABLE.test(name) && !INVISIBLE.test(name) ? name : undefined;
};
