import { WebhookError } from './errors.ts';
import { type Bytes, decodeBase64 } from './signatures.ts';

/** Headers of a request: of the Fetch API, of Node, or as a plain object. */
export type HeaderSource = { get: (name: string) => string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A signature of the header, with its version. */
export type VersionedSignature = { version: string; bytes: Bytes };

/** The headers of a delivery. */
export type SignedHeaders = { id: string; timestamp: string; signatures: readonly VersionedSignature[] };

/** A sender that replaces a secret or a key signs with two of each. Each signature costs a check per secret or key. */
const MAX_SIGNATURES = 10;
const MAX_LENGTH = 4096;

/** A full stop would make the signed text ambiguous. */
const ID = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;
const TIMESTAMP = /^\d{1,12}$/;

const isFetchHeaders = (headers: HeaderSource): headers is { get: (name: string) => string | null } => typeof headers['get'] === 'function';

const find = (headers: HeaderSource, name: string): string => {
  const found = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key, value]) => key.toLowerCase() === name && value !== undefined)?.[1];
  const text = typeof found === 'object' && found !== null ? found.join(' ') : found;
  if (text === undefined || text === null || text === '') throw new WebhookError('HEADER_MISSING', `the header ${name} is missing`);
  if (text.length > MAX_LENGTH) throw new WebhookError('HEADER_INVALID', `the header ${name} is too long`);
  return text;
};

const matching = (headers: HeaderSource, name: string, form: RegExp): string => {
  const text = find(headers, name);
  if (!form.test(text)) throw new WebhookError('HEADER_INVALID', `the header ${name} has another form`);
  return text;
};

/** Reads the headers of Standard Webhooks. Signatures of versions that are not known are kept. @throws WebhookError HEADER_MISSING, HEADER_INVALID */
export const readHeaders = (headers: HeaderSource): SignedHeaders => {
  const id = matching(headers, 'webhook-id', ID);
  const timestamp = matching(headers, 'webhook-timestamp', TIMESTAMP);
  const parts = find(headers, 'webhook-signature').trim().split(/ +/);
  if (parts.length > MAX_SIGNATURES) throw new WebhookError('HEADER_INVALID', 'the header webhook-signature has too many signatures');
  const signatures = parts.flatMap((part) => {
    const [version = '', text = ''] = part.split(',', 2);
    const bytes = decodeBase64(text);
    return bytes === undefined || bytes.length === 0 ? [] : [{ version, bytes }];
  });
  return { id, timestamp, signatures };
};
