/** Keys whose values are never logged. Compared in lower case without `_` and `-`. */
const SECRET_KEYS = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'password',
  'secret',
  'clientsecret',
  'apikey',
  'masterkey',
  'identitymasterkeys',
  'vaultmasterkeys',
  'fieldkeys',
  'fieldhashkey',
  'ledgerheadkey',
  'decidersecret',
  'processorsecret',
  'kycwebhooksecret',
  'smstoken',
  'kyctoken',
  'kyttoken',
  'cvv2',
  'pin',
  'privatekey',
  'servicekey',
  'token',
  'accesstoken',
  'refreshtoken',
  'sharetoken',
  'otp',
  'code',
  'pan',
  'cardnumber',
  'cvv',
  'cvc',
  'email',
  'phone',
  'phonenumber',
  'to',
  'signature',
  'd',
  'idempotencykey',
]);

// Quantifiers that can match at any position are bounded, so that text chosen by an attacker does not cost quadratic time.
const JWT = /eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{1,4096}\.[A-Za-z0-9_-]*/g;
/** No slash before the @, so that paths of scoped packages in stack traces stay readable. */
const EMAIL = /[^\s@"<>()[\],;:\\/]{1,64}@[^\s@"'<>()[\]{},;:\\/=]{1,255}/g;
const PHONE = /\+[1-9](?:[ ()-]{0,2}\d){6,14}/g;
/**
 * Digits, alone or in groups as people write card numbers. Ids, addresses and hashes match as a whole and are kept, because their
 * digits often look like a card number and a log is useless without them.
 */
const DIGITS =
  /\b0x[0-9a-fA-F]{40,}\b|\b[0-9a-f]{32}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<!\d)\d+(?:[ -]\d+)*(?!\d)/g;
/** Recognizes those whole matches: an address or hash, hexadecimal digits such as those of a trace, or a UUID. */
const ID = /^0x|[a-f]|^.{8}-.{4}-.{4}-.{4}-/;

const MIN_PAN_DIGITS = 13;
const MAX_PAN_DIGITS = 19;

/** Reports whether digits pass the checksum of card numbers (ISO/IEC 7812-1, annex B). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
};

/** Redacts card numbers in groups of digits. A card number may start and end at any group. */
const redactPan = (text: string): string => {
  const groups = [...text.matchAll(/\d+/g)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < MAX_PAN_DIGITS; last += 1) {
      const [from, to] = [groups[first], groups[last]];
      if (from === undefined || to === undefined) break;
      digits += text.slice(to.start, to.end);
      if (digits.length >= MIN_PAN_DIGITS && digits.length <= MAX_PAN_DIGITS && passesLuhn(digits)) {
        return `${text.slice(0, from.start)}[pan]${redactPan(text.slice(to.end))}`;
      }
    }
  }
  return text;
};

/** Maximum length of logged text, so that a caller cannot fill the disk. */
const MAX_TEXT = 8192;

/** Truncates text at a word boundary, so that part of a secret is not left unrecognized. */
const cut = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/\S{1,4096}$/, '')}[cut]`);

/** Matches every text in which one of the expressions above finds something to redact: one look at most log lines instead of four. */
const SUSPICIOUS = /eyJ|@|\+[1-9]|\d(?:[ -]?\d){12}/;

/** Redacts tokens, e-mail addresses, phone numbers and card numbers in text. */
export const redactText = (text: string): string => {
  const short = cut(text);
  if (!SUSPICIOUS.test(short)) return short;
  return short
    .replace(JWT, '[token]')
    .replace(EMAIL, '[email]')
    .replace(PHONE, '[phone]')
    .replace(DIGITS, (found) => (ID.test(found) ? found : redactPan(found)));
};

const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/** The smallest number that can be a card number; smaller ones are counts and times in milliseconds. */
const MIN_PAN_NUMBER = 10 ** 13;

const redactError = (error: Error, depth: number): unknown => ({
  type: error.name,
  message: redactText(error.message),
  ...('code' in error ? { code: error.code } : {}),
  ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
  ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  ...(error instanceof AggregateError ? { errors: redact(error.errors, depth + 1) } : {}),
});

/** Error codes are logged under `code` too. One-time codes, which are digits, never match. */
const isErrorCode = (key: string, value: unknown): boolean =>
  key === 'code' && typeof value === 'string' && /^[A-Z][A-Z_]{2,}$/.test(value);

const isSecret = (key: string, value: unknown): boolean => {
  const plain = key.toLowerCase().replace(/[_-]/g, '');
  return SECRET_KEYS.has(plain) && typeof value !== 'boolean' && !isErrorCode(plain, value);
};

/** Returns a copy of `value` that is safe to log: secret keys and strings redacted, depth and breadth bounded. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return redactText(value.toString());
  if (typeof value === 'number') return value >= MIN_PAN_NUMBER && redactText(`${value}`) === '[pan]' ? '[pan]' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([key, item]) => [redactText(key), isSecret(key, item) ? '[redacted]' : redact(item, depth + 1)]));
};
