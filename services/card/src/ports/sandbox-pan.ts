import { createHmac, hkdfSync } from 'node:crypto';
import { passesLuhn } from '@florin/rpc/observe';

/** In the range that card networks reserve for tests; no issuer owns it. */
const TEST_BIN = '400000';

/** 16 digits less the BIN and the check digit (ISO/IEC 7812-1). */
const ACCOUNT_DIGITS = 9;

/** Key used for card numbers only (HKDF, RFC 5869), so that no other use of the master key can reveal one. */
export const sandboxPanKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), 'florin/card/sandbox-pan/v1', 32));

/** The card's PAN. Deterministic for a key and card id, so it is never stored; unpredictable without the key. */
export const sandboxPan = (key: Uint8Array, cardId: string): string => {
  const digest = createHmac('sha256', key).update(cardId).digest();
  // 64 bits reduced to 10^9 values: the bias is below 10^-10.
  const account = (digest.readBigUInt64BE() % 10n ** BigInt(ACCOUNT_DIGITS)).toString().padStart(ACCOUNT_DIGITS, '0');
  const body = TEST_BIN + account;
  const check = [...'0123456789'].find((digit) => passesLuhn(body + digit));
  if (check === undefined) throw new Error('unreachable: one of ten check digits always satisfies Luhn');
  return body + check;
};
