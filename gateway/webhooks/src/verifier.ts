import { WebhookError } from './errors.ts';
import type { Message } from './events.ts';
import { type HeaderSource, readHeaders, type SignedHeaders } from './headers.ts';
import type { KeySource } from './published-keys.ts';
import { type Bytes, type CheckSignature, ed25519Check, hmacCheck, isEd25519, type PublicJwk, secretBytes } from './signatures.ts';

export type { HeaderSource } from './headers.ts';

/** The keys that prove a delivery genuine. With keys the endpoint has to be named: they sign the deliveries to everybody's endpoints. */
type Proof =
  | { keys?: never; endpointId?: string }
  | {
      /** The sender's public keys, for the signature `v1a`: `publishedKeys(url)`, or fixed ones. Without a secret nobody but the sender can sign. */
      keys: KeySource | readonly PublicJwk[];
      /** Id of the endpoint: a delivery to another one is rejected, whatever signed it. */
      endpointId: string;
    };

export type VerifierOptions = Proof & {
  /** Secrets of the endpoint, `whsec_…`. While one is replaced, deliveries carry a signature of each, so either is enough. */
  secrets?: readonly string[];
  /** How far the delivery's time may be from this machine's, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the machine's clock. */
  now?: () => number;
};

/** A delivery whose signature is right. */
export type Delivery = {
  /** The header `webhook-id`. Repeats of a delivery have the same one. */
  id: string;
  /** When it was sent; not when the event happened. */
  sentAt: Date;
  message: Message;
};

/**
 * Verifies a delivery.
 * @param body the bytes of the request's body, or their text, unchanged: not parsed and serialized again
 * @throws WebhookError HEADER_MISSING, HEADER_INVALID, TIMESTAMP_TOO_OLD, TIMESTAMP_TOO_NEW, SIGNATURE_INVALID, BODY_INVALID, ENDPOINT_MISMATCH,
 * KEYS_UNAVAILABLE, KEY_INVALID
 */
export type VerifyWebhook = (body: string | Uint8Array, headers: HeaderSource) => Promise<Delivery>;

const DEFAULT_TOLERANCE_SECONDS = 300;

const encoder = new TextEncoder();

const signedContent = ({ id, timestamp }: SignedHeaders, body: Uint8Array): Bytes => {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
};

const checkTime = (timestamp: string, nowMs: number, toleranceSeconds: number): Date => {
  const sentAt = new Date(Number(timestamp) * 1000);
  const ageMs = nowMs - sentAt.getTime();
  if (ageMs > toleranceSeconds * 1000) throw new WebhookError('TIMESTAMP_TOO_OLD', 'the delivery was sent too long ago');
  if (ageMs < -toleranceSeconds * 1000) throw new WebhookError('TIMESTAMP_TOO_NEW', 'the delivery was sent in the future');
  return sentAt;
};

const parseMessage = (body: Uint8Array): Message => {
  try {
    const message: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof message === 'object' && message !== null && typeof (message as Partial<Message>).type === 'string')
      return message as Message;
  } catch {
    // Reported below.
  }
  throw new WebhookError('BODY_INVALID', 'the body is not a JSON object with a type');
};

/** Remembers the imported form of the keys of a source. */
const ed25519Checks = (source: KeySource) => {
  let of: readonly PublicJwk[] | undefined;
  let imported: Promise<CheckSignature[]> = Promise.resolve([]);
  return async (again: boolean): Promise<CheckSignature[]> => {
    const keys = await source(again);
    if (keys !== of) {
      of = keys;
      imported = Promise.all(keys.filter(isEd25519).map(ed25519Check));
    }
    return imported;
  };
};

const keySource = (keys: KeySource | readonly PublicJwk[] = [], hasSecret: boolean): KeySource => {
  if (typeof keys === 'function') return keys;
  if (keys.length === 0 && !hasSecret) throw new WebhookError('SECRET_INVALID', 'a secret or a key is required');
  if (!keys.every(isEd25519)) throw new WebhookError('KEY_INVALID', 'a key must be an Ed25519 public key as a JWK');
  return async () => keys;
};

/**
 * Creates the verifier of an endpoint's deliveries (Standard Webhooks 1.0).
 * @throws WebhookError SECRET_INVALID also if there is neither a secret nor a key; KEY_INVALID; ENDPOINT_INVALID if keys come without an endpoint; TOLERANCE_INVALID
 */
export const createWebhookVerifier = ({
  secrets = [],
  keys,
  endpointId,
  toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
  now = Date.now,
}: VerifierOptions): VerifyWebhook => {
  const hmacChecks = secrets.map(secretBytes).map(hmacCheck);
  if (!(Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0)) {
    throw new WebhookError('TOLERANCE_INVALID', 'toleranceSeconds must be a number from 0');
  }
  if (keys !== undefined && !endpointId) {
    throw new WebhookError('ENDPOINT_INVALID', 'keys need an endpointId: they sign the deliveries to all endpoints');
  }
  const keyChecks = ed25519Checks(keySource(keys, hmacChecks.length > 0));

  const fits = async ({ signatures }: SignedHeaders, version: string, content: Bytes, checks: readonly CheckSignature[]) => {
    const asked = signatures.filter((one) => one.version === version);
    const outcomes = await Promise.all(asked.flatMap(({ bytes }) => checks.map((check) => check(bytes, content))));
    return outcomes.includes(true);
  };

  const isSigned = async (headers: SignedHeaders, content: Bytes): Promise<boolean> => {
    if (await fits(headers, 'v1', content, hmacChecks)) return true;
    if (!headers.signatures.some(({ version }) => version === 'v1a')) return false;
    const known = await keyChecks(false);
    if (await fits(headers, 'v1a', content, known)) return true;
    const fresh = await keyChecks(true);
    return fresh !== known && (await fits(headers, 'v1a', content, fresh));
  };

  return async (body, source) => {
    const headers = readHeaders(source);
    const sentAt = checkTime(headers.timestamp, now(), toleranceSeconds);
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    if (!(await isSigned(headers, signedContent(headers, bytes)))) {
      throw new WebhookError('SIGNATURE_INVALID', 'no signature fits a secret or key of this endpoint');
    }
    const message = parseMessage(bytes);
    if (endpointId !== undefined && message.endpointId !== endpointId) {
      throw new WebhookError('ENDPOINT_MISMATCH', 'the delivery is for another endpoint');
    }
    return { id: headers.id, sentAt, message };
  };
};
