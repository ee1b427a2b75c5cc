import { createHash } from 'node:crypto';

/** Crockford's base32: no I, L, O, U, so that nothing is misread or spells a word. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 60 bits. An account id has 122, which the 21 characters of an ISO 11649 reference cannot hold: hence a hash, and a claim. */
const LENGTH = 12;

/** Remainder by 97 of the text read as a number, letters as 10 to 35 (ISO/IEC 7064, MOD 97-10). */
const mod97 = (text: string): number => {
  let remainder = 0;
  for (const character of text) remainder = Number(`${remainder}${Number.parseInt(character, 36)}`) % 97;
  return remainder;
};

/** Reports whether the text is a creditor reference with right check digits (ISO 11649), without spaces. */
export const isCreditorReference = (text: string): boolean =>
  /^RF[0-9]{2}[0-9A-Z]{1,21}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1;

/**
 * The n-th candidate for an account's payment reference: `RF`, two check digits, 12 characters derived from the account id.
 * The same input always gives the same candidate. The first account to
 * claim a candidate owns it; others try their next one.
 */
export const referenceCandidate = (accountId: string, attempt: number): string => {
  const digest = createHash('sha256').update(`florin/reference/${accountId}/${attempt}`).digest();
  const body = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const check = 98 - mod97(`${body}RF00`);
  return `RF${check.toString().padStart(2, '0')}${body}`;
};
