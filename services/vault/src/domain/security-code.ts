import { createCipheriv, createDecipheriv } from 'node:crypto';

/** The pair of single-DES keys A and B of card verification values: 16 bytes. */
export type CardVerificationKey = Uint8Array;

export const CARD_VERIFICATION_KEY_BYTES = 16;

/** Wrong codes a day (UTC) after which a card's code is not compared until the next day: guessing all thousand takes most of a year. */
export const MAX_WRONG_CODES_PER_DAY = 5;

/** Service code that stands in the printed code (CVV2, CVC2) for the one of the magnetic stripe. */
const PRINTED_SERVICE_CODE = '000';

const BLOCK_BYTES = 8;
const CODE_DIGITS = 3;

// OpenSSL offers triple DES only. With one key in all three places it is single DES; with A, B, A it is the two-key form.
const tripleKey = (first: Uint8Array, second: Uint8Array): Buffer => Buffer.concat([first, second, first]);

const encrypt = (key: Buffer, block: Uint8Array): Buffer => createCipheriv('des-ede3', key, null).setAutoPadding(false).update(block);
const decrypt = (key: Buffer, block: Uint8Array): Buffer => createDecipheriv('des-ede3', key, null).setAutoPadding(false).update(block);

const xor = (left: Uint8Array, right: Uint8Array): Buffer => Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));

/** The first digits of a hex text in order, then its letters as digits (A is 0, F is 5): the decimalization of the standard. */
const decimalize = (hex: string): string => {
  const digits = hex.replace(/[a-f]/g, '');
  const letters = hex.replace(/[0-9]/g, '').replace(/[a-f]/g, (letter) => String(letter.charCodeAt(0) - 'a'.charCodeAt(0)));
  return digits + letters;
};

/**
 * A card verification value, by the algorithm that card networks share (CVV, CVC): whoever has the key pair can check a code without the
 * vault, for example a processor's HSM.
 * @param expiry YYMM
 * @param serviceCode three digits
 */
export const cardVerificationValue = (key: CardVerificationKey, pan: string, expiry: string, serviceCode: string): string => {
  const data = Buffer.from((pan + expiry + serviceCode).padEnd(4 * BLOCK_BYTES, '0'), 'hex');
  const [keyA, keyB] = [key.subarray(0, BLOCK_BYTES), key.subarray(BLOCK_BYTES)];
  const single = tripleKey(keyA, keyA);
  const first = encrypt(single, data.subarray(0, BLOCK_BYTES));
  const second = encrypt(single, xor(first, data.subarray(BLOCK_BYTES)));
  const last = encrypt(single, decrypt(tripleKey(keyB, keyB), second));
  return decimalize(last.toString('hex')).slice(0, CODE_DIGITS);
};

/** The code printed on a card (CVV2). Derived from number and expiry, so that it is never stored (PCI DSS 3.3.1). */
export const securityCode = (
  key: CardVerificationKey,
  pan: string,
  { expMonth, expYear }: { expMonth: number; expYear: number },
): string => {
  const expiry = `${String(expYear % 100).padStart(2, '0')}${String(expMonth).padStart(2, '0')}`;
  return cardVerificationValue(key, pan, expiry, PRINTED_SERVICE_CODE);
};
