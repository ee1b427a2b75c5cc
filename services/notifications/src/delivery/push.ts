import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import { retryAfterMs } from '../domain/schedule.ts';
import type { Subscription } from '../store/devices.ts';

/** The platform's key of Web Push (VAPID, RFC 8292). */
export type PushKey = {
  /** Point of the curve, uncompressed, in base64url. */
  publicKey: string;
  privateKey: string;
  subject: string;
};

/** @throws Error when the number is not below the order of the curve, or zero */
export const createPushKey = (privateKey: Uint8Array, subject: string): PushKey => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: Buffer.from(privateKey).toString('base64url'), subject };
};

export type PushMessage = {
  /** JSON that the device's service worker reads. */
  payload: string;
  /** Until when the push service keeps it for a device that it cannot reach, in seconds. */
  ttlSeconds: number;
  isUrgent: boolean;
  /** A message with the same topic replaces one that the device has not received (RFC 8030, section 5.4): a repeat shows once. */
  topic: string;
};

/** The answer of the push service. `gone`: there is no such subscription any more. */
export type PushResult =
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'rejected'; status: number }
  | { kind: 'failed'; reason: string; retryAfterMs: number };

/** Sends one message to one device. */
export type Push = (subscription: Subscription, message: PushMessage) => Promise<PushResult>;

const TIMEOUT_MS = 10_000;
const GONE: ReadonlySet<number> = new Set([404, 410]);
const TOO_MANY = 429;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.name) : 'unknown';

/** Encrypts (RFC 8291), signs (RFC 8292) and sends messages (RFC 8030). Redirects are not followed: they would lead around the list of allowed hosts. */
export const createPush =
  ({ publicKey, privateKey, subject }: PushKey, now: () => Date): Push =>
  async ({ endpoint, p256dh, auth }, { payload, ttlSeconds, isUrgent, topic }) => {
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject, publicKey, privateKey },
      TTL: ttlSeconds,
      urgency: isUrgent ? 'high' : 'normal',
      topic,
      contentEncoding: 'aes128gcm',
    });
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: Object.fromEntries(
          Object.entries(request.headers)
            .filter(([name]) => name.toLowerCase() !== 'content-length')
            .map(([name, value]) => [name, String(value)]),
        ),
        body: new Uint8Array(request.body ?? Buffer.alloc(0)),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return { kind: 'sent' };
      if (GONE.has(response.status)) return { kind: 'gone' };
      if (response.status >= 500 || response.status === TOO_MANY)
        return {
          kind: 'failed',
          reason: `status ${response.status}`,
          retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now()),
        };
      return { kind: 'rejected', status: response.status };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error), retryAfterMs: 0 };
    }
  };
