/** What never reaches a log, whatever it is called. */
const SECRET_KEYS = new Set([
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accesstoken',
  'refreshtoken',
  'sharetoken',
  'otp',
  'code',
  'pan',
  'cvv',
  'cvc',
  'email',
  'phone',
  'to',
  'signature',
  'd',
  'idempotencykey',
]);

const JWT = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;
const EMAIL = /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g;
const PHONE = /\+[1-9]\d{7,14}\b/g;
const DIGITS = /\b\d(?:[ -]?\d){12,18}\b/g;

/** Checksum of card numbers (ISO/IEC 7812-1, annex B). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
};

/** Takes tokens, e-mail addresses, phone numbers and card numbers out of running text. */
export const redactText = (text: string): string =>
  text
    .replace(JWT, '[token]')
    .replace(EMAIL, '[email]')
    .replace(PHONE, '[phone]')
    .replace(DIGITS, (match) => (passesLuhn(match.replace(/[ -]/g, '')) ? '[pan]' : match));

const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

const redactError = (error: Error, depth: number): unknown => ({
  type: error.name,
  message: redactText(error.message),
  ...('code' in error ? { code: error.code } : {}),
  ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
  ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
});

/** A copy of `value` that is safe to log: secret keys blanked, strings scrubbed, depth and breadth bounded. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      typeof item !== 'boolean' && SECRET_KEYS.has(key.toLowerCase().replace(/[_-]/g, '')) && !isErrorCodeLike(item)
        ? '[redacted]'
        : redact(item, depth + 1),
    ]),
  );
};

/** `code` is also where error codes stand; those are what a log is for. Digits-only values never pass. */
const isErrorCodeLike = (value: unknown): boolean => typeof value === 'string' && /^[A-Z][A-Z_]{2,}$/.test(value);
